//go:build !cgo

package nudge

// Without cgo there is no way to libnudge. The path of this import is what go build says then, and
// all that it says: an undefined name would drown among those that need C, and a stub that fails
// at run time would be noticed only where the program runs.
import _ "github.com/your-account/nudge/nudge-go/internal/needs_cgo_for_libnudge/set_CGO_ENABLED_1_and_install_a_C_compiler"
