module nudge

go 1.22
