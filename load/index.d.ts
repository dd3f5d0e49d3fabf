/**
 * k6/x/pix load-tests gateways for instant payments (PIX) and keeps a ledger: every payment
 * is registered before it is sent, every webhook is matched with its payment, and every
 * balance is compared with what was paid.
 *
 * Amounts are decimal strings in BRL, such as `"10.00"`, because JavaScript numbers are not
 * exact. Durations are strings such as `"10s"`, or numbers of milliseconds. A failed request
 * never throws: its result contains the error, in `accepted`, `status` and `error`. A mistake
 * in the script throws an Error that names the field.
 *
 * Every operation takes k6's params as its last argument, and returns a promise of its result, like
 * `http.asyncRequest`. An iteration ends once the promises of its calls are settled.
 *
 * @packageDocumentation
 */

declare module "k6/x/pix" {
  /** An amount in BRL, such as `"10.00"`. */
  export type Amount = string;

  /** `"500ms"`, `"10s"`, `"1m30s"`, or a number of milliseconds. */
  export type Duration = string | number;

  /** Credentials of one account. */
  export interface Credentials {
    clientId: string;
    clientSecret: string;
    /** Client certificate: a PEM string. Read a file with `open(PATH)`. */
    certificate: string;
    /** A PIX key of the account, which receives immediate charges. */
    pixKey?: string;
    /** The account's number in the test controls. */
    id?: number;
  }

  /** The test controls of a gateway in a test environment. */
  export interface Controls {
    url: string;
    /** Sent as a bearer token. */
    token?: string;
  }

  /** Event types that a gateway sends webhooks for. */
  export type EventType =
    | "cash_in"
    | "cash_out"
    | "refund_in"
    | "refund_out"
    | "med_created"
    | "med_accepted"
    | "med_rejected";

  /** The webhook listener. */
  export interface WebhookOptions {
    /** Host and port to listen on. Default `"127.0.0.1:0"`: any free port. */
    listen?: string;
    /** The URL that the gateway calls, if it differs from the listener's address. */
    url?: string;
    /** PEM file of the listener's certificate. By default, one is generated. */
    certificate?: string;
    /** PEM file of the certificate's key. */
    key?: string;
    /** File to write a generated certificate to, for gateways that verify it. */
    authority?: string;
    /** The event types to register. Default: those that report the outcome of payments. */
    types?: EventType[];
  }

  /** Options of a Client. They must be the same in all virtual users of a test. */
  export interface ClientOptions {
    /** Base URL of the API. */
    url: string;
    /** Default `"/api/auth/token"`. */
    tokenPath?: string;
    /**
     * The number of accounts to create with the test controls, or the accounts to use, such as
     * `JSON.parse(open("accounts.json"))`. They are divided among the instances of a run. Default 1.
     */
    accounts?: number | Credentials[];
    /** The test controls: they create accounts, payees of transfers, and payers of charges. */
    controls?: Controls;
    /** Initial balance of each account that is created. Default `"1000000000.00"`. */
    balance?: Amount;
    /** The webhook listener. false: do not listen; outcomes are read from the gateway's list at the end. */
    webhooks?: WebhookOptions | boolean;
    /** The same seed generates the same payments. Default 0. */
    seed?: number;
    /**
     * Id of the run, the same for all its instances. Default: the environment variable PIX_RUN,
     * or a random id.
     */
    run?: string;
    /** Range of the amounts of payments. Default `"0.01"` to `"100.00"`. */
    amounts?: { min?: Amount; max?: Amount };
    /**
     * Share of payments, 0 to 1, whose request is deliberately sent twice at the same time, with
     * the same external id or idempotency key. Each must be debited only once. Default 0.
     */
    repeats?: number;
    /** Fees of payments whose webhook contains none; a fee that is not set counts as drift. Default none. */
    fees?: { transfer?: Amount; cashIn?: Amount; cob?: Amount; refund?: Amount };
    /** A webhook that takes longer than this from acceptance is late. Default `"10s"`. */
    late?: Duration;
    /** How long to wait for pending webhooks at the end. Default `"60s"`. */
    drain?: Duration;
    /** Requests scheduled within the warm-up are not measured; the ledger includes them. Default 0. */
    warmup?: Duration;
    /** Headers of every request. */
    headers?: Record<string, string>;
    /** Timeout of one request, including the connection. Default `"60s"`. */
    timeout?: Duration;
    /** Name of the load profile, for the summary and the result. */
    profile?: string;
  }

  /** Why a request was refused or got no response. */
  export interface Failure {
    /** The API's error code, such as `PIX_INSUFFICIENT_BALANCE`, or empty. */
    code: string;
    message: string;
  }

  /** The result of a request. */
  export interface Reply {
    /** Whether the response is the documented success. */
    accepted: boolean;
    /** HTTP status, or 0 without a complete response. */
    status: number;
    /** Milliseconds from the send to the end of the response. */
    duration: number;
    /** null if accepted. */
    error: Failure | null;
    /** The response as received; null without one, or with k6's option `discardResponseBodies`. */
    body: string | null;
    /** As in k6/http, in milliseconds. */
    timings: Timings;
    /** Of the response, by canonical name. */
    headers: Record<string, string>;
  }

  /** Parts of a request's duration, in milliseconds; `duration` is sending, waiting and receiving. */
  export interface Timings {
    duration: number;
    blocked: number;
    connecting: number;
    tls_handshaking: number;
    sending: number;
    waiting: number;
    receiving: number;
  }

  /** The last argument of an operation, as in k6/http. */
  export interface Params {
    /** Of all metrics of the call. */
    tags?: Record<string, string | number | boolean>;
    /** Of the request. Default: the Client's. */
    timeout?: Duration;
    /** In addition to the Client's. */
    headers?: Record<string, string>;
    /** Responses that are no failures, such as an intended refusal; null: any. Default: success. */
    responseCallback?: ExpectedStatuses | null;
  }

  /** What expectedStatuses returns. */
  export type ExpectedStatuses = [number, number][];

  /** A payment that was requested. */
  export interface Payment extends Reply {
    /** Empty if the operation has none. */
    transactionId: string;
    /** The id that the run generated: external id, idempotency key, txid or refund id. */
    externalId: string;
    /** Empty until it is known; that of a transfer is provisional. */
    endToEndId: string;
    /** The state in the response: `PENDING`, `ATIVA`, `EM_PROCESSAMENTO`. */
    state: string;
    /** EMV payload of a charge. */
    pixCode: string;
    /** The amount. */
    value: Amount;
    /**
     * The webhook that reports the payment's outcome. The promise is rejected if the payment
     * was refused, if its webhook is malformed, or if none arrived within the timeout (default:
     * the option `drain`).
     */
    settled(timeout?: Duration): Promise<Webhook>;
  }

  /** A charge: it becomes a payment when it is paid. */
  export type Charge = Payment;

  /** A charge that was paid. */
  export interface PaidCharge {
    /** Of the payment received. */
    endToEndId: string;
    value: Amount;
    /** The webhook that reports the money received. */
    settled(timeout?: Duration): Promise<Webhook>;
  }

  /**
   * A webhook that reports a payment's outcome.
   *
   * A webhook may arrive before the response to its payment, so the latest 4096 are kept. Of an
   * older one, only status, value and fee are known.
   */
  export interface Webhook {
    /** `CashOut`, `CashIn`, `TRANSFER`, `RECEIVE`, `REFUND`… */
    event: string;
    status: "CONFIRMED" | "ERROR";
    transactionId: string;
    endToEndId: string;
    /** null if the event does not contain it. */
    value: Amount | null;
    /** null if the event does not contain it. */
    fee: Amount | null;
    /** Only with status ERROR. */
    errorCode: string;
    /** ISO 8601, UTC. */
    receivedAt: string;
    /** The header `webhook-id`. */
    webhookId: string;
    /** The payload as received; null if it was not kept. */
    body: Record<string, unknown> | null;
  }

  /** An access token. */
  export interface Token extends Reply {
    value: string;
    /** Seconds. */
    expiresIn: number;
  }

  /** An account's balance. */
  export interface Balance extends Reply {
    available: Amount;
    blocked: Amount;
    /** Available plus blocked. */
    total: Amount;
  }

  /** A transaction in the gateway's list. */
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

  /** A list of MED cases, as the API returns them. */
  export interface Meds extends Reply {
    items: Record<string, unknown>[];
  }

  /** A webhook URL that is registered for an event type. */
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

  /** The result of a webhook resend. */
  export interface Resent extends Reply {
    webhookLogId: number;
    /** HTTP status of the receiver's response. */
    delivered: number;
  }

  /** A balance compared with the ledger. Pending payments widen the range. */
  export interface Audit {
    /** Index of the account in the run. */
    account: number;
    /** The lowest total that the ledger allows. */
    from: Amount;
    /** The highest total that the ledger allows. */
    to: Amount;
    actual: Amount;
    /** How far actual is outside the range: negative below it, `"0.00"` within. */
    drift: Amount;
  }

  /** Fields of a cash-out that override the generated values. */
  export interface CashOutOptions {
    value?: Amount;
    description?: string;
    /** As `keyType` demands: a phone number is area code and number, without `+55`. */
    key?: string;
    keyType?: "DOCUMENT" | "EMAIL" | "PHONE" | "RANDOM";
    name?: string;
    /** CPF or CNPJ of the key's holder. */
    document?: string;
  }

  /** Fields of a cash-out to a QR Code. Set both `value` and `qrCode`, or neither. */
  export interface QrCashOutOptions {
    value?: Amount;
    /** EMV payload. */
    qrCode?: string;
    description?: string;
    name?: string;
    document?: string;
  }

  /** Fields of a transfer. Set both `key` and `document`, or neither. */
  export interface TransferOptions {
    value?: Amount;
    /** A key in the directory. Required without test controls. */
    key?: string;
    /** CPF or CNPJ of the key's holder. */
    document?: string;
    priority?: "HIGH" | "NORM";
    description?: string;
    /** Maximum seconds in the queue. */
    expiration?: number;
  }

  /** Fields of a dynamic charge. */
  export interface CashInOptions {
    value?: Amount;
    description?: string;
    /** Seconds. */
    expiration?: number;
  }

  /** Fields of an immediate charge. */
  export interface CobOptions {
    value?: Amount;
    /** Receiver's key. Default: the account's `pixKey`. */
    key?: string;
    /** Text for the payer. */
    note?: string;
    /** Seconds. */
    expiration?: number;
  }

  /** The received PIX to refund, and the amount. */
  export interface RefundOptions {
    endToEndId: string;
    value: Amount;
  }

  /** Fields of a webhook registration. */
  export interface RegistrationOptions {
    /** Default `"cash_out"`. */
    eventType?: EventType;
    /** Default: this run's URL for such events of the account. */
    url?: string;
    /** At most five. */
    headers?: Record<string, string>;
  }

  /** Query parameters of a list, with the API's names. */
  export type Query = Record<string, string | number | boolean>;

  /** The operations of an account. */
  export interface Operations {
    /** Pays to a key. Without options, all fields are generated. */
    cashOut(options?: CashOutOptions, params?: Params): Promise<Payment>;

    /** Pays to a QR Code. */
    qrCashOut(options?: QrCashOutOptions, params?: Params): Promise<Payment>;

    /** Pays to a key in the directory. */
    transfer(options?: TransferOptions, params?: Params): Promise<Payment>;

    /** Refunds a received PIX: a paid charge, in full or only the given part. */
    refund(what: PaidCharge | RefundOptions, part?: { value: Amount }, params?: Params): Promise<Payment>;

    /** Creates a dynamic charge. */
    cashIn(options?: CashInOptions, params?: Params): Promise<Charge>;

    /** Creates an immediate charge. */
    cob(options?: CobOptions, params?: Params): Promise<Charge>;

    /** Requests a new access token, without replacing the shared one. */
    token(params?: Params): Promise<Token>;

    /** Reads the balance. */
    balance(params?: Params): Promise<Balance>;

    /** Lists the account's transactions. */
    transactions(query?: Query, params?: Params): Promise<Transactions>;

    /** Lists the transactions of a PIX key. */
    transactionsByKey(key: string, query?: Query, params?: Params): Promise<Transactions>;

    /** Lists MED cases. */
    meds(query?: Query, params?: Params): Promise<Meds>;

    /** Registers a URL for an event type, or updates an existing registration. */
    registerWebhook(options?: RegistrationOptions, params?: Params): Promise<Reply>;

    /** Lists the webhook registrations. */
    webhooks(params?: Params): Promise<Registrations>;

    /**
     * Requests a resend of a payment's webhook. For a payment of this run, the ledger expects the
     * webhook; identify any other payment by transaction id, external id or end-to-end id.
     */
    resend(payment: Payment | string, params?: Params): Promise<Resent>;

    /** Compares the balance with the ledger, now. The promise is rejected if the balance cannot be read. */
    audit(params?: Params): Promise<Audit>;
  }

  /**
   * An account of the gateway. All virtual users share its access token. If it gets 401, the request
   * is sent again with a new one, and `pix_tokens_rejected` counts it if it was valid.
   */
  export interface Account extends Operations {
    /** Index in the run. */
    readonly index: number;
    readonly clientId: string;
    readonly pixKey: string;
  }

  /**
   * A gateway under load. Create it in the script's init code; a test has only one.
   *
   * ```js
   * import { Client, summary, thresholds } from "k6/x/pix";
   *
   * const client = new Client({ url: "http://127.0.0.1:8080", controls: { url: "http://127.0.0.1:8081" } });
   * export const options = { vus: 10, duration: "30s", thresholds: thresholds("correct", "answered") };
   * export function setup() { client.prepare(); }
   * export default function () { client.account().cashOut(); }
   * export function handleSummary(data) { return { stdout: summary(data) }; }
   * ```
   */
  export class Client {
    constructor(options: ClientOptions);

    /** The run's id. */
    readonly run: string;

    /**
     * Creates or logs in to the accounts, registers webhooks and listens for them, and reads the
     * opening balances. Call it in setup: otherwise the first call does it and takes longer. The
     * executor pix-arrival-rate needs it to be called there.
     */
    prepare(): void;

    /**
     * Whether the target has the given test control and, if it needs them, the accounts' `id`s
     * are known: `directory` creates payees of transfers, `payments` pays charges.
     */
    offers(control: string): boolean;

    /** The account of this virtual user, or the i-th of this instance. */
    account(i?: number): Account;

    /** Has a charge paid by the test controls. The promise is rejected if they cannot. */
    pay(charge: Charge, params?: Params): Promise<PaidCharge>;

    /** Compares the balance of every account with the ledger, now. */
    audit(params?: Params): Promise<Audit[]>;
  }

  /** Statuses, and ranges of them, for the params of a call: `expectedStatuses(400, { min: 404, max: 409 })`. */
  export function expectedStatuses(...statuses: (number | { min: number; max: number })[]): ExpectedStatuses;

  /** Returns the thresholds of presets. `k6 x pix thresholds` lists the presets and their sources. */
  export function thresholds(...presets: string[]): Record<string, string[]>;

  /**
   * The summary of the run as text for the terminal: the verdict with its reasons, payments, webhooks,
   * money, the generator, thresholds, checks, and the other metrics of k6. `data` is the argument of the
   * script's handleSummary. Throws if it is something else.
   */
  export function summary(data: unknown): string;

  /**
   * The result of the run as JSON, for `k6 x pix` and other programs. Its field `outcome` is `pass`,
   * `fail`, `wrong`, `invalid` or `interrupted`. `data` is the argument of the script's handleSummary.
   * Throws if it is something else.
   */
  export function result(data: unknown): string;
}
