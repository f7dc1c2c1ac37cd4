"""Pages and forms on which people work cases."""
