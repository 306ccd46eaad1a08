"""The commands of `allfives`, one file each; each imports what it needs when it runs."""
