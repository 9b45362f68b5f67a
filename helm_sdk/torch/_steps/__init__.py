"""What is measured and checked at each step."""
