"""Those who look on at a match by a link to this seat, and what people without a seat write."""
