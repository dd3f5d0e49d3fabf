package certificate

import "github.com/pixcert/pixcert/steps/verdict"

// texts are the words of the register in one language.
type texts struct {
	Title, About, Target, Result, Depth, Since, Run, Edition, Families, Accepted, Key, Unverified, NotTrusted, Directory, Reason   string
	Points, PointsAbout, Point, Permitted, Behavior, Targets, None, Differs, Rules, Made, Same, Earlier, Coverage, Badge, NoTarget string
	Pass, Fail, Warn, NotTested                                                                                                    string

	outcomes map[verdict.Outcome]string
	depths   map[verdict.Depth]string
}

var english = texts{
	Title:  "Register of PIX API certificates",
	About:  "pixcert verified each of these certificates: its signature, its evidence, and that the verdicts follow from the evidence. A certificate is no homologation by the Banco Central do Brasil.",
	Target: "Target", Result: "Result", Depth: "Depth", Since: "Since", Run: "Last run", Edition: "Edition of the rules", Families: "Families", Accepted: "Known failures accepted",
	Key: "Signed with", Unverified: "Not verified", NotTrusted: "Do not rely on these.", Directory: "Directory", Reason: "Reason",
	Points: "How targets differ on open points", PointsAbout: "The specification leaves these questions open: each answer is allowed.", Point: "Open point", Permitted: "Allowed",
	Behavior: "What targets do", Targets: "Targets", None: "The targets do not differ.", Differs: "By the rules of this pixcert", Rules: "Rules", Made: "Made on", Same: "this pixcert has edition",
	Earlier: "Earlier certificates", Coverage: "Covered", Badge: "Badge", NoTarget: "No certificate was verified.",
	Pass: "pass", Fail: "fail", Warn: "with warnings", NotTested: "could not be tested",
	outcomes: map[verdict.Outcome]string{
		verdict.Conforms: "conforms", verdict.DoesNotConform: "does not conform", verdict.OwnRulesFail: "own rules fail", verdict.Incomplete: "incomplete",
		verdict.NoNewFailures: "no new failures", verdict.Outdated: "baseline is out of date", verdict.EndedEarly: "ended early", verdict.NoneFound: "no failures found",
	},
	depths: map[verdict.Depth]string{verdict.Quick: "quick", verdict.Standard: "standard", verdict.Thorough: "thorough"},
}

var portuguese = texts{
	Title:  "Registro de certificados da API PIX",
	About:  "O pixcert verificou cada um destes certificados: a assinatura, as evidências, e que os vereditos decorrem das evidências. Um certificado não é uma homologação do Banco Central do Brasil.",
	Target: "Gateway", Result: "Resultado", Depth: "Profundidade", Since: "Desde", Run: "Última execução", Edition: "Edição das regras", Families: "Famílias", Accepted: "Falhas conhecidas aceitas",
	Key: "Assinado com", Unverified: "Não verificados", NotTrusted: "Não confie nestes.", Directory: "Diretório", Reason: "Motivo",
	Points: "Como os gateways diferem nos pontos em aberto", PointsAbout: "A especificação deixa estas questões em aberto: cada resposta é permitida.", Point: "Ponto em aberto", Permitted: "Permitido",
	Behavior: "O que os gateways fazem", Targets: "Gateways", None: "Os gateways não diferem.", Differs: "Pelas regras deste pixcert", Rules: "Regras", Made: "Feito em", Same: "este pixcert tem a edição",
	Earlier: "Certificados anteriores", Coverage: "Cobertura", Badge: "Selo", NoTarget: "Nenhum certificado foi verificado.",
	Pass: "passam", Fail: "falham", Warn: "com avisos", NotTested: "não testadas",
	outcomes: map[verdict.Outcome]string{
		verdict.Conforms: "conforme", verdict.DoesNotConform: "não conforme", verdict.OwnRulesFail: "regras próprias falham", verdict.Incomplete: "incompleto",
		verdict.NoNewFailures: "sem novas falhas", verdict.Outdated: "lista de falhas conhecidas desatualizada", verdict.EndedEarly: "encerrado antes do fim", verdict.NoneFound: "nenhuma falha encontrada",
	},
	depths: map[verdict.Depth]string{verdict.Quick: "rápida", verdict.Standard: "padrão", verdict.Thorough: "completa"},
}
