"""The table: poses the asks, narrates, understands what people type, and annotates."""
