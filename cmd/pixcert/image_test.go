package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/pixcert/pixcert/steps/target"
)

// Every command that needs a gateway starts the image that a flag or a profile names.
func TestAnImageNeedsAnEngine(t *testing.T) {
	report := t.TempDir()
	status, stdout, stderr := invoke(t, "certify", "--rule", "token.issued", "--report", report)
	require.Equal(t, 0, status, "%s\n%s", stdout, stderr)
	t.Setenv("DOCKER_HOST", "tcp://127.0.0.1:1")
	profile := imageProfile(t, "image: {name: acme/gateway}\n")
	for name, args := range map[string][]string{
		"certify":             {"certify", "--image", "acme/gateway", "--report", t.TempDir()},
		"certify the profile": {"certify", profile, "--report", t.TempDir()},
		"plan":                {"plan", profile},
		"replay":              {"replay", "token.issued/the-response", profile, "--report", report, "--json"},
	} {
		t.Run(name, func(t *testing.T) {
			status, stdout, stderr := invoke(t, args...)
			require.Equal(t, exitNotRun, status)
			require.Empty(t, stdout)
			require.Contains(t, stderr, "starting acme/gateway\n")
			require.Contains(t, stderr, "none responds")
		})
	}
	t.Run("plan offline", func(t *testing.T) {
		status, stdout, stderr := invoke(t, "plan", profile, "--offline")
		require.Equal(t, 0, status, stderr)
		require.Contains(t, stdout, "Test plan for acme/gateway\n")
		require.Contains(t, stdout, "settlement")
	})
}

func imageProfile(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "pixcert.yaml")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return file
}

// Flags override the image of a profile, and are in the arguments that name the same target.
func TestFlagsOverrideTheImageOfAProfile(t *testing.T) {
	const image = "image: {name: acme/gateway:1, env: {A: b}, port: 8080, controlsPort: 8081, health: /up}\n"
	contained := func(image string, port, controlsPort int) *target.Container {
		return &target.Container{Image: image, Env: map[string]string{"A": "b"}, Port: port, ControlsPort: controlsPort, Health: "/up"}
	}
	given := func(s string) *string { return &s }
	for name, c := range map[string]struct {
		text      string
		flags     targetFlags
		want      target.Profile
		arguments []string
	}{
		"none": {
			text: image,
			want: target.Profile{Container: contained("acme/gateway:1", 8080, 8081), Control: &target.ControlAccess{}},
		},
		"another image": {
			text: image, flags: targetFlags{Image: given("acme/gateway:2"), ControlToken: "token"},
			want:      target.Profile{Container: contained("acme/gateway:2", 8080, 8081), Control: &target.ControlAccess{Token: "token"}},
			arguments: []string{"--image", "acme/gateway:2"},
		},
		"ports of another image": {
			text: image, flags: targetFlags{Image: given("acme/gateway:2"), URL: given("http://127.0.0.1:1/pix"), ControlURL: given("http://127.0.0.1:2/c")},
			want: target.Profile{
				BaseURL: "http://127.0.0.1:1/pix", Container: contained("acme/gateway:2", 0, 2), Control: &target.ControlAccess{URL: "http://127.0.0.1:2/c"},
			},
			arguments: []string{"--url", "http://127.0.0.1:1/pix", "--control-url", "http://127.0.0.1:2/c", "--image", "acme/gateway:2"},
		},
		"a prefix": {
			text: image, flags: targetFlags{Image: given("acme/gateway:1"), URL: given("http://127.0.0.1/pix")},
			want:      target.Profile{BaseURL: "http://127.0.0.1/pix", Container: contained("acme/gateway:1", 8080, 8081), Control: &target.ControlAccess{}},
			arguments: []string{"--url", "http://127.0.0.1/pix", "--image", "acme/gateway:1"},
		},
		"the port of the controls": {
			text: image, flags: targetFlags{ControlURL: given("http://127.0.0.1:2")},
			want:      target.Profile{Container: contained("acme/gateway:1", 8080, 2), Control: &target.ControlAccess{URL: "http://127.0.0.1:2"}},
			arguments: []string{"--control-url", "http://127.0.0.1:2"},
		},
		"a gateway that runs": {
			text: image, flags: targetFlags{URL: given("http://gateway"), ControlURL: given("http://controls")},
			want:      target.Profile{BaseURL: "http://gateway", Control: &target.ControlAccess{URL: "http://controls"}},
			arguments: []string{"--url", "http://gateway", "--control-url", "http://controls"},
		},
		"an image for a profile without": {
			text: "url: http://127.0.0.1:8080\n", flags: targetFlags{Image: given("acme/gateway:1")},
			want:      target.Profile{BaseURL: "http://127.0.0.1:8080", Container: &target.Container{Image: "acme/gateway:1"}, Control: &target.ControlAccess{}},
			arguments: []string{"--image", "acme/gateway:1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			c.flags.Profile = imageProfile(t, c.text)
			p, err := c.flags.profile(&console{}, "")
			require.NoError(t, err)
			assert.Equal(t, c.want, p)
			assert.Equal(t, append([]string{c.flags.Profile}, c.arguments...), c.flags.arguments())
		})
	}
}

// The profile of the reference's own image gives the controls the token that it sends, and sets flags that serve has.
func TestProfileOfTheReferencesImage(t *testing.T) {
	t.Setenv("PIXCERT_CONTROL_TOKEN", "secret")
	flags := targetFlags{Profile: filepath.Join("..", "..", "ci", "image", "pixcert.yaml"), ControlToken: os.Getenv("PIXCERT_CONTROL_TOKEN")}
	p, err := flags.profile(&console{err: t.Output()}, "")
	require.NoError(t, err)
	require.Equal(t, "secret", p.Control.Token)
	for name, value := range p.Container.Env {
		t.Setenv(name, value)
	}
	parsed, _, err := parse([]string{"serve"}, t.Output(), t.Output())
	require.NoError(t, err)
	serve := parsed.Selected().Target.Interface().(serveCmd)
	require.Equal(t, "secret", serve.ControlToken)
	require.True(t, *serve.Private)
}
