/**
 * k6/x/pix puts gateways of instant payments (PIX) under load, and keeps the books: every
 * payment is registered before it is sent, every webhook is matched to its payment, every
 * balance is held against what was paid.
 *
 * Amounts are decimal strings in BRL, `"10.00"`: a JavaScript number may not hold them.
 * Durations are strings such as `"10s"`, or numbers of milliseconds. What goes wrong on the
 * network never throws: it is in the answer, as `accepted`, `status` and `error`. What is
 * wrong in the script throws an Error that names the field.
 *
 * Every method that sends a request has a twin that gives a promise: `cashOut` and
 * `asyncCashOut`.
 *
 * @packageDocumentation
 */

/** An amount in BRL, such as `"10.00"`. */
export type Amount = string;

/** `"500ms"`, `"10s"`, `"1m30s"`, or a number of milliseconds. */
export type Duration = string | number;

/** What an integrator holds of one account. */
export interface Credentials {
  clientId: string;
  clientSecret: string;
  /** PEM of the client certificate, or the path of its file. */
  certificate: string;
  /** A key of the account's own, that immediate charges are for. */
  pixKey?: string;
  /** The account's number for the test controls. */
  id?: number;
}

/** Where the test controls of a gateway in a test environment are. */
export interface Controls {
  url: string;
  /** Sent as a bearer token. */
  token?: string;
}

/** The types of events that a gateway sends webhooks for. */
export type EventType =
  | "cash_in"
  | "cash_out"
  | "refund_in"
  | "refund_out"
  | "med_created"
  | "med_accepted"
  | "med_rejected";

/** Where webhooks are received. */
export interface WebhookOptions {
  /** Host and port to listen at. Default `"127.0.0.1:0"`: any port. */
  listen?: string;
  /** The address that the gateway calls, where it differs from that of the listener. */
  url?: string;
  /** PEM file of the listener's certificate. By default one is made. */
  certificate?: string;
  /** PEM file of its key. */
  key?: string;
  /** File to which the authority of a certificate that is made is written, for gateways that verify. */
  authority?: string;
  /** The event types to register for. Default: those that end payments. */
  types?: EventType[];
}

/** Options of a Gateway. All virtual users of a test give the same ones. */
export interface GatewayOptions {
  /** Base URL of the API. */
  url: string;
  /** Default `"/api/auth/token"`. */
  tokenPath?: string;
  /**
   * How many accounts the controls are to make, the accounts to use, or the path of a JSON
   * file of them. They are split over the instances of a run. Default 1.
   */
  accounts?: number | string | Credentials[];
  /**
   * All instances use all accounts, and one `url` for their webhooks, which hands each to
   * any of them. No single one can then balance the accounts: only the merged books can.
   */
  sharedAccounts?: boolean;
  /** The test controls: they make accounts, payees of transfers, and payers of charges. */
  controls?: Controls;
  /** What each account that is made has. Default `"1000000000.00"`. */
  balance?: Amount;
  /** Where webhooks are received; false: none are, and payments stay without their end. */
  webhooks?: WebhookOptions | boolean;
  /** The same seed gives the same payments. Default 0. */
  seed?: number;
  /**
   * Id of the run. All instances of one run need the same; the variable PIX_RUN gives it as
   * well. By default it is random.
   */
  run?: string;
  /** Range of the amounts of payments. Default `"0.01"` to `"100.00"`. */
  amounts?: { min?: Amount; max?: Amount };
  /**
   * Share of payments, 0 to 1, whose request is sent twice at the same time, with the same
   * external id or idempotency key. Each has to be debited once. Default 0.
   */
  repeats?: number;
  /** Fees of payments whose webhook names none; without them such a fee is drift. Default none. */
  fees?: { transfer?: Amount; cashIn?: Amount; cob?: Amount; refund?: Amount };
  /** A webhook that takes longer, counted from the acceptance, is late. Default `"10s"`. */
  late?: Duration;
  /** How long the end waits for webhooks that are under way. Default `"60s"`. */
  drain?: Duration;
  /** What is intended within it is not measured; the books count it all the same. */
  warmup?: Duration;
  /** Headers of every request. */
  headers?: Record<string, string>;
  /** Of one exchange, connecting included. Default `"60s"`. */
  timeout?: Duration;
  /**
   * `"direct"` (the default): HTTP/1.1 over connections of the extension's own, which cost
   * least; `"k6"`: k6's transport, with HTTP/2 and proxies.
   */
  http?: "direct" | "k6";
  /**
   * Whether http_reqs, http_req_duration and the others are pushed. Default true. k6 keeps
   * every value of them: long runs that are to hold their memory go without, and use
   * pix_duration.
   */
  httpMetrics?: boolean;
  /** Folder of the report. The variable PIX_REPORT gives it as well. Default `"report/load"`. */
  report?: string;
  /** Name of the load profile, for the report. */
  profile?: string;
}

/** Why a request was refused or not answered. */
export interface Failure {
  /** The API's own code, such as `PIX_INSUFFICIENT_BALANCE`; empty where it has none. */
  code: string;
  message: string;
}

/** What every request gives. */
export interface Reply {
  /** Answered with success. */
  accepted: boolean;
  /** HTTP status; 0 when no whole answer came. */
  status: number;
  /** Milliseconds from the send to the end of the answer. */
  duration: number;
  /** null when accepted. */
  error: Failure | null;
}

/** A payment that was asked for. */
export interface Payment extends Reply {
  /** Empty where the operation has none. */
  transactionId: string;
  /** The id that the run gave it: external id, idempotency key, txid or refund id. */
  externalId: string;
  /** Empty until it is known; of a transfer a provisional one. */
  endToEndId: string;
  /** As the gateway answered it: `PENDING`, `ATIVA`, `EM_PROCESSAMENTO`. */
  state: string;
  /** EMV text of a charge. */
  pixCode: string;
  /** The amount. */
  value(): Amount;
  /**
   * The webhook that tells the payment's end. Rejected when the payment was refused, when
   * its webhook is malformed, or when none came within the timeout (default: that of the
   * drain).
   */
  settled(timeout?: Duration): Promise<Webhook>;
}

/** A charge: a payment, once somebody pays it. */
export type Charge = Payment;

/** A charge that somebody paid. */
export interface PaidCharge {
  /** Of the payment that was received. */
  endToEndId: string;
  value(): Amount;
  /** The webhook that tells of the money received. */
  settled(timeout?: Duration): Promise<Webhook>;
}

/**
 * What told a payment's end.
 *
 * Webhooks may be faster than answers: the latest 4096 are kept for whoever waits. Of one
 * that came before those, only status, value and fee are known, unless the payment was made
 * by the async twin: then everything is kept.
 */
export interface Webhook {
  /** `CashOut`, `CashIn`, `TRANSFER`, `RECEIVE`, `REFUND`… */
  event: string;
  status: "CONFIRMED" | "ERROR";
  transactionId: string;
  endToEndId: string;
  /** null when the event does not tell, as fee. */
  value: Amount | null;
  fee: Amount | null;
  /** Of status ERROR. */
  errorCode: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  /** The header webhook-id. */
  webhookId: string;
  /** The payload as it came; null when it was not kept. */
  body: Record<string, unknown> | null;
}

/** An access token. */
export interface Token extends Reply {
  value: string;
  /** Seconds. */
  expiresIn: number;
}

/** An account's money. */
export interface Balance extends Reply {
  available: Amount;
  blocked: Amount;
  /** Available and blocked. */
  total: Amount;
}

/** A transaction as the gateway lists it. */
export interface Transaction {
  transactionId: string;
  externalId: string;
  endToEndId: string;
  status: "PENDING" | "CONFIRMED" | "ERROR";
  operation: "PAYMENT" | "WITHDRAW" | "REFUND_IN" | "REFUND_OUT";
  movement: "CREDIT" | "DEBIT";
  value: Amount;
  fee: Amount;
}

/** A page of a list of transactions. */
export interface Transactions extends Reply {
  items: Transaction[];
  total: number;
  hasNext: boolean;
}

/** A list of MED cases, as the API describes them. */
export interface Meds extends Reply {
  items: Record<string, unknown>[];
}

/** A URL that is registered for a type of events. */
export interface Registration {
  id: number;
  url: string;
  eventType: EventType;
  headers: Record<string, string>;
  isActive: boolean;
}

/** The registrations of an account. */
export interface Registrations extends Reply {
  items: Registration[];
}

/** What came of sending a webhook again. */
export interface Resent extends Reply {
  webhookLogId: number;
  /** HTTP status that its receiver answered. */
  delivered: number;
}

/** A balance held against the books. Amounts under way widen the range. */
export interface Audit {
  /** Index of the account in the run. */
  account: number;
  /** The least that the account's total may be. */
  from: Amount;
  /** The most. */
  to: Amount;
  actual: Amount;
  /** How far actual lies outside the range: below it negative, `"0.00"` within. */
  drift: Amount;
}

/** What a cash-out may set in place of what the run's data give. */
export interface CashOutOptions {
  value?: Amount;
  description?: string;
  key?: string;
  keyType?: "DOCUMENT" | "EMAIL" | "PHONE" | "RANDOM";
  name?: string;
  /** CPF or CNPJ of the key's holder. */
  document?: string;
}

/** What a cash-out to a QR Code may set. value and qrCode go together. */
export interface QrCashOutOptions {
  value?: Amount;
  /** EMV text. */
  qrCode?: string;
  description?: string;
  name?: string;
  document?: string;
}

/** What a transfer may set. key and document go together. */
export interface TransferOptions {
  value?: Amount;
  /** A key of the directory. Without test controls it is required. */
  key?: string;
  /** CPF or CNPJ of the key's holder. */
  document?: string;
  priority?: "HIGH" | "NORM";
  description?: string;
  /** Seconds in the queue. */
  expiration?: number;
}

/** What a dynamic charge may set. */
export interface CashInOptions {
  value?: Amount;
  description?: string;
  /** Seconds. */
  expiration?: number;
}

/** What an immediate charge may set. */
export interface CobOptions {
  value?: Amount;
  /** Receiver's key. Default: that of the account. */
  key?: string;
  /** Text for the payer. */
  note?: string;
  /** Seconds. */
  expiration?: number;
}

/** Which received PIX to give back, and how much. */
export interface RefundOptions {
  endToEndId: string;
  value: Amount;
}

/** What a registration of a webhook may set. */
export interface RegistrationOptions {
  /** Default `"cash_out"`. */
  eventType?: EventType;
  /** Default: where this run receives such events of the account. */
  url?: string;
  /** At most five. */
  headers?: Record<string, string>;
}

/** Parameters of a list, as the API names them. */
export type Query = Record<string, string | number | boolean>;

/** One account of the gateway. Its access token is shared by all virtual users. */
export interface Account {
  /** In the run. */
  readonly index: number;
  readonly clientId: string;
  readonly pixKey: string;

  /** Pays to a key. Without options the run's data say what. */
  cashOut(options?: CashOutOptions): Payment;
  asyncCashOut(options?: CashOutOptions): Promise<Payment>;

  /** Pays to a QR Code. */
  qrCashOut(options?: QrCashOutOptions): Payment;
  asyncQrCashOut(options?: QrCashOutOptions): Promise<Payment>;

  /** Pays to a key of the directory. */
  transfer(options?: TransferOptions): Payment;
  asyncTransfer(options?: TransferOptions): Promise<Payment>;

  /** Gives a received PIX back: of a paid charge all of it, or the part that is named. */
  refund(what: PaidCharge | RefundOptions, part?: { value: Amount }): Payment;
  asyncRefund(what: PaidCharge | RefundOptions, part?: { value: Amount }): Promise<Payment>;

  /** Makes a dynamic charge. */
  cashIn(options?: CashInOptions): Charge;
  asyncCashIn(options?: CashInOptions): Promise<Charge>;

  /** Makes an immediate charge. */
  cob(options?: CobOptions): Charge;
  asyncCob(options?: CobOptions): Promise<Charge>;

  /** Asks for a new access token, and leaves the shared one as it is. */
  token(): Token;
  asyncToken(): Promise<Token>;

  /** Reads the balance. */
  balance(): Balance;
  asyncBalance(): Promise<Balance>;

  /** Lists the account's transactions. */
  transactions(query?: Query): Transactions;
  asyncTransactions(query?: Query): Promise<Transactions>;

  /** Lists the transactions of a key. */
  transactionsByKey(key: string, query?: Query): Transactions;
  asyncTransactionsByKey(key: string, query?: Query): Promise<Transactions>;

  /** Lists MED cases. */
  meds(query?: Query): Meds;
  asyncMeds(query?: Query): Promise<Meds>;

  /** Registers a URL for a type of events; one that is registered already is updated. */
  registerWebhook(options?: RegistrationOptions): Reply;
  asyncRegisterWebhook(options?: RegistrationOptions): Promise<Reply>;

  /** Lists the registrations. */
  webhooks(): Registrations;
  asyncWebhooks(): Promise<Registrations>;

  /**
   * Has the webhook of a payment sent again. Of a payment of this run the books expect it;
   * any other is named by transaction id, external id or end-to-end id.
   */
  resend(payment: Payment | string): Resent;
  asyncResend(payment: Payment | string): Promise<Resent>;

  /** Holds the balance against the books as they stand now. Throws when it cannot be read. */
  audit(): Audit;
  asyncAudit(): Promise<Audit>;
}

/**
 * A gateway under load. It is made where the script is loaded, once: a test has one.
 *
 * ```js
 * import { Gateway, thresholds, handleSummary } from "k6/x/pix";
 * export { handleSummary };
 *
 * const gateway = new Gateway({ url: "http://127.0.0.1:8080", controls: { url: "http://127.0.0.1:8081" } });
 * export const options = { vus: 10, duration: "30s", thresholds: thresholds("correct", "answered") };
 * export function setup() { gateway.prepare(); }
 * export default function () { gateway.account().cashOut(); }
 * ```
 */
export class Gateway {
  constructor(options: GatewayOptions);

  /** The run's id. */
  readonly run: string;

  /**
   * Makes or takes the accounts, listens for webhooks and registers them, opens the books.
   * Call it in setup: otherwise the first call does it, and takes that much longer.
   */
  prepare(): void;

  /**
   * Whether the target has a test control of that name, and knows the accounts of this run
   * by their `id`: `directory` makes payees of transfers, `payments` payers of charges.
   */
  offers(control: string): boolean;

  /** The account of this virtual user, or the i-th of this instance. */
  account(i?: number): Account;

  /** Has somebody pay a charge, by the test controls. Throws when they cannot. */
  pay(charge: Charge): PaidCharge;
  asyncPay(charge: Charge): Promise<PaidCharge>;

  /** Holds the balance of every account against the books as they stand now. */
  audit(): Audit[];
}

/** Names of thresholds: `k6 x pix thresholds` lists them with their sources. */
export function thresholds(...presets: string[]): Record<string, string[]>;

/**
 * k6's handleSummary, to be exported by the script: it writes result.json, index.html and
 * junit.xml into the folder of the report, and prints the summary.
 */
export function handleSummary(data: unknown): Record<string, string>;
