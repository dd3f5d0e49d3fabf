package bench

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// vegetaProgram is vegeta, from the module of the tools: the extension does not depend on it.
func vegetaProgram(t *testing.T) string {
	t.Helper()
	vegetaBuilt.Do(func() { // for all rounds of the one test that needs it
		vegetaPath = filepath.Join(t.TempDir(), "vegeta")
		build := exec.Command("go", "build", "-o", vegetaPath, "github.com/tsenart/vegeta/v12")
		build.Dir = filepath.Join("..", "tools")
		out, err := build.CombinedOutput()
		require.NoError(t, err, "%s", out)
	})
	return vegetaPath
}

var (
	vegetaBuilt sync.Once
	vegetaPath  string
)

// vegeta becomes the program vegeta, which sends cash-outs as fast as its workers can. It does less than the others: each
// request has the same body, and it does not read the fields of a response.
func vegeta() int {
	err := attack()
	fmt.Fprintln(os.Stderr, err)
	return 1
}

// attack returns only if it fails.
func attack() error {
	var to target
	if err := json.Unmarshal([]byte(os.Getenv("TARGET")), &to); err != nil {
		return err
	}
	token, err := plainToken(http.DefaultClient, to.URL, to.Credentials[0])
	if err != nil {
		return err
	}
	body, err := json.Marshal(newPlainOrder(fmt.Sprintf("p%d", os.Getpid())))
	if err != nil {
		return err
	}
	request := "POST " + to.URL + "/api/pix/cash-out\nContent-Type: application/json\nAuthorization: Bearer " + token + "\n@body.json\n"
	for name, text := range map[string]string{"body.json": string(body), "targets.txt": request} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil { // in a folder of the test
			return err
		}
	}
	return syscall.Exec(os.Getenv("VEGETA"), []string{
		"vegeta", "attack", "-rate=0", "-max-workers=" + os.Getenv("VUS"), "-workers=" + os.Getenv("VUS"),
		"-targets=targets.txt", "-output=" + os.DevNull,
	}, os.Environ())
}
