module adapter

go 1.24

require github.com/your-account/nudge/nudge-go v0.0.0

replace github.com/your-account/nudge/nudge-go => ../../../../nudge-go
