"""Cards, offices and bonds: one file each."""
