package certs

import (
	"crypto/tls"
	"slices"
	"strings"
)

// Restricted is the configuration with TLS 1.2 or later, and without the cipher suites of TLS 1.2 that use CBC: with
// those, timing can reveal what was encrypted (Lucky Thirteen). Suites that the configuration names remain.
func Restricted(config *tls.Config) *tls.Config {
	config = config.Clone()
	config.MinVersion = max(config.MinVersion, tls.VersionTLS12)
	if config.CipherSuites != nil {
		return config
	}
	for _, suite := range tls.CipherSuites() {
		if slices.Contains(suite.SupportedVersions, tls.VersionTLS12) && !strings.Contains(suite.Name, "_CBC_") {
			config.CipherSuites = append(config.CipherSuites, suite.ID)
		}
	}
	return config
}
