"""Players that are programs: they come in by the same door as people, and choose from what the API returns alone."""
