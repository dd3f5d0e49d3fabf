package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What people read is in their language; names, commands and what programs read stay the same.
func TestCommandsInPortuguese(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		command []string
		says    []string
	}{
		"rules, by Portuguese words": {[]string{"rules", "limite", "reduzido"}, []string{"cash-out.night-limit", "Um limite reduzido vale entre 20:00 e 06:00", "Detalhes: pixcert explain cash-out"}},
		"rules, by English words":    {[]string{"rules", "night", "limit"}, []string{"cash-out.night-limit", "Um limite reduzido vale"}},
		"a rule":                     {[]string{"explain", "cash-out.covers-fee"}, []string{"O saldo deve cobrir o valor e a tarifa", "Enunciados da especificação", "OUT-061  O gateway aceita", "Above the balance"}},
		"a statement":                {[]string{"explain", "OUT-063"}, []string{"Regras que o cobrem", "Um externalId já usado é rejeitado"}},
		"a plan":                     {[]string{"plan", "--offline", "--reference"}, []string{"Plano de teste: o gateway de referência embutido", "Pagamento para uma chave PIX: 17 de 17 regras podem ser testadas"}},
	} {
		status, stdout, stderr := invoke(t, append(c.command, "--language", "pt")...)
		require.Zero(t, status, "%s: %s", name, stderr)
		for _, says := range c.says {
			assert.Contains(t, stdout, says, name)
		}
	}
	_, english, _ := invoke(t, "rules", "night", "--json")
	_, portuguese, _ := invoke(t, "rules", "night", "--json", "--language", "pt")
	assert.JSONEq(t, english, portuguese)
	status, _, stderr := invoke(t, "rules", "--language", "fr")
	assert.Equal(t, exitNotRun, status)
	assert.Contains(t, stderr, `--language must be one of "en","pt"`)
}

// A run has the same verdicts and the same files for programs in each language.
func TestTheLanguageChangesNoResult(t *testing.T) {
	t.Parallel()
	results := map[string]map[string]any{}
	says := map[string][]string{
		"en": {`<html lang="en">`, "Rules by endpoint", ">Copy<"},
		"pt": {`<html lang="pt-BR">`, "Regras por endpoint", featuresIn("pt").Titles["token.issued"], `placeholder="Buscar neste relatório"`, ">Copiar<"},
	}
	for _, language := range []string{"en", "pt"} {
		dir := t.TempDir()
		status, stdout, stderr := invoke(t, "certify", "--reference", "--rule", "token.issued", "--seed", "7", "--report", dir, "--language", language)
		require.Zero(t, status, stderr)
		assert.Contains(t, stdout, map[string]string{"en": "✓ Conforms (selected rules only)", "pt": "✓ Conforme (só as regras selecionadas)"}[language])
		page, err := os.ReadFile(filepath.Join(dir, "index.html"))
		require.NoError(t, err)
		for _, text := range says[language] {
			assert.Contains(t, string(page), text)
		}
		content, err := os.ReadFile(filepath.Join(dir, "verdict.json"))
		require.NoError(t, err)
		assert.NotRegexp(t, regexp.MustCompile(`regra|cenário|rejeição|conforme`), string(content))
		var result map[string]any
		require.NoError(t, json.Unmarshal(content, &result))
		results[language] = map[string]any{"outcome": result["outcome"], "counts": result["counts"], "arguments": result["arguments"], "selection": result["selection"]}
	}
	for _, result := range results {
		delete(result["counts"].(map[string]any), "exchanges") // reads are repeated until they fit
	}
	assert.Equal(t, results["en"], results["pt"])
}

func TestTheLanguageComesFromTheEnvironment(t *testing.T) {
	t.Setenv("PIXCERT_LANGUAGE", "pt")
	status, stdout, stderr := invoke(t, "explain", "OUT-063")
	require.Zero(t, status, stderr)
	assert.Contains(t, stdout, "Regras que o cobrem")
	status, stdout, stderr = invoke(t, "explain", "OUT-063", "--language", "en")
	require.Zero(t, status, stderr)
	assert.Contains(t, stdout, "Rules that cover it")
}
