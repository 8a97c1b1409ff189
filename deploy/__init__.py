"""What is needed to run Stavka somewhere."""
