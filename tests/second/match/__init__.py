"""The state of a match, what is judged, and what completed steps do (sections 9 to 15)."""
