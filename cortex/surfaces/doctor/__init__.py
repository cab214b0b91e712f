"""What may be wrong with a brain and with what is set up around it, each with the command that mends it."""
