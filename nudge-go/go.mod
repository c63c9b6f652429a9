module nudge

go 1.24
