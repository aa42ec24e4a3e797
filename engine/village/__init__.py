"""The Village: open building cards beside the secret roles, one small class per building."""
