"""The page on which one person labels: `desk` holds what is labelled, `app` serves it."""
