package main

import (
	"fmt"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"The shell: bash, zsh or fish."`
}

func (*completionCmd) Help() string {
	return `The script asks the installed pixcert, so it stays right when pixcert is updated.

Examples:
  source <(pixcert completion bash)
  source <(pixcert completion zsh)
  pixcert completion fish | source`
}

// completionScripts run the command with COMP_LINE, the line so far: kongplete then prints the words that can follow.
var completionScripts = map[string]string{
	"bash": `complete -o default -o bashdefault -C pixcert pixcert
`,
	"zsh": `#compdef pixcert
_pixcert() {
	local -a words_
	words_=(${(f)"$(COMP_LINE="${words[1,CURRENT]}" pixcert)"})
	if (( $#words_ )); then compadd -- $words_; else _files; fi
}
if [[ $funcstack[1] = _pixcert ]]; then _pixcert; else compdef _pixcert pixcert; fi
`,
	"fish": `function __complete_pixcert
	set -lx COMP_LINE (commandline --cut-at-cursor --current-process)
	pixcert
end
complete --command pixcert --arguments '(__complete_pixcert)'
`,
}

func (c *completionCmd) Run(to *console) error {
	_, err := fmt.Fprint(to.data, completionScripts[c.Shell])
	return err
}
