
const ClientContext = createContext<HearthClient | null>(null);

/** Gives the client to the hooks of the components inside: `createElement(HearthProvider, { client }, …)`. */
export function HearthProvider({ client, children }: { client: HearthClient; children?: ReactNode }): ReactElement {
  return createElement(ClientContext.Provider, { value: client }, children);
}

/** The client of the `HearthProvider` around the component. */
export function useHearth(): HearthClient {
  const client = useContext(ClientContext);
  if (client === null) throw new Error("The component is not inside a HearthProvider.");
  return client;
}

export interface QueryHookOptions {
  /** Does not send the query, for example while a variable is not known yet. */
  skip?: boolean;
}

export interface QueryState<Data> {
  /** The data of the last response. It stays while the query is loaded again, also with other variables. */
  readonly data: Data | undefined;
  /** Why there is no current data. */
  readonly error: HearthError | undefined;
  readonly isLoading: boolean;
  /** Sends the query again, after a load that is running. The function is the same in every rendering. */
  readonly reload: () => void;
}

/** The data of a query. It is loaded when the component appears, and again when the variables have other values. */
export function useQuery<Data, Variables>(
  document: TypedDocument<"query", Data, Variables>,
  ...[variables, options]: Arguments<Variables, QueryHookOptions>
): QueryState<Data> {
  const client = useHearth();
  const [state, setState] = useState<Omit<QueryState<Data>, "reload">>(
    { data: undefined, error: undefined, isLoading: options?.skip !== true },
  );
  const [turn, setTurn] = useState(0);
  // A reload does not abort a load that is running, but follows it: events can come faster than responses.
  const load = useRef({ isRunning: false, isWantedAgain: false });
  const reload = useCallback(() => {
    if (load.current.isRunning) load.current.isWantedAgain = true;
    else setTurn((last) => last + 1);
  }, []);
  const key = JSON.stringify(variables ?? null);
  const skip = options?.skip ?? false;
  const latest = useRef(variables);
  useEffect(() => { latest.current = variables; });
  useEffect(() => {
    if (skip) {
      setState(({ data, error }) => ({ data, error, isLoading: false }));
      return undefined;
    }
    const controller = new AbortController();
    const { signal } = controller;
    const own = { isRunning: true, isWantedAgain: false };
    load.current = own;
    setState(({ data, error }) => ({ data, error, isLoading: true }));
    const end = () => {
      own.isRunning = false;
      if (own.isWantedAgain) setTurn((last) => last + 1);
      return own.isWantedAgain;
    };
    client.query(document, ...argumentsOf<Variables, RequestOptions>(latest.current, { signal })).then(
      (data) => { if (!signal.aborted) setState({ data, error: undefined, isLoading: end() }); },
      (error: unknown) => {
        if (signal.aborted) return;
        const isLoading = end();
        setState(({ data }) => ({ data, error: hearthError(error), isLoading }));
      },
    );
    return () => {
      own.isRunning = false;
      controller.abort();
    };
  }, [client, document, key, skip, turn]);
  return { ...state, reload };
}

export interface MutationState<Data> {
  /** The data of the last call, with its `userErrors`. */
  readonly data: Data | undefined;
  readonly error: HearthError | undefined;
  readonly isRunning: boolean;
}

/**
 * A function that performs a mutation, and the state of its last call. The function also returns the data, or throws.
 * A call goes on when the component disappears.
 */
export function useMutation<Data, Variables>(
  document: TypedDocument<"mutation", Data, Variables>,
): [mutate: (...args: Arguments<Variables, MutationOptions>) => Promise<Data>, state: MutationState<Data>] {
  const client = useHearth();
  const [state, setState] = useState<MutationState<Data>>({ data: undefined, error: undefined, isRunning: false });
  const calls = useRef(0);
  const mutate = useCallback(async (...args: Arguments<Variables, MutationOptions>): Promise<Data> => {
    calls.current += 1;
    const call = calls.current;
    const show = (shown: MutationState<Data>) => { if (call === calls.current) setState(shown); };
    show({ data: undefined, error: undefined, isRunning: true });
    try {
      const data = await client.mutate(document, ...args);
      show({ data, error: undefined, isRunning: false });
      return data;
    } catch (error) {
      show({ data: undefined, error: hearthError(error), isRunning: false });
      throw error;
    }
  }, [client, document]);
  return [mutate, state];
}

export interface SubscriptionHookOptions<Data> {
  /** Does not subscribe. The subscription ends if it becomes true. */
  skip?: boolean;
  /**
   * The position after which the subscription begins, from `onPosition` of an earlier one of the same member. After
   * `skip`, or with other variables, it continues after the last position instead. So give the component another `key`
   * for another member.
   */
  position?: string;
  /** Called with each event, in order. */
  onEvent?: (data: Data) => void;
  /** Called when the subscription has begun, also after `use`: load what is shown then, and no change is missed. */
  onBegin?: () => void;
  /** Called with the position to resume from. */
  onPosition?: (position: string) => void;
}

export interface SubscriptionState<Data> {
  /** The last event. Several events can arrive between two renderings: `onEvent` receives all of them. */
  readonly data: Data | undefined;
  /**
   * Why the subscription has ended. A broken connection is not an error: the client reconnects and resumes. With the
   * code `FEED_GAP`, `RIGHTS_CHANGED` or `EVENTS_TOO_FAST`, call `restart`, and load everything again in `onBegin`.
   */
  readonly error: HearthError | undefined;
  readonly isActive: boolean;
  /** Whether events arrive as they happen. False while a broken connection is made again: show that what is shown is old. */
  readonly isConnected: boolean;
  /** Subscribes again after an error, without a position. */
  readonly restart: () => void;
}

/** The events of a subscription, from when the component appears until it disappears. */
export function useSubscription<Data, Variables>(
  document: TypedDocument<"subscription", Data, Variables>,
  ...[variables, options]: Arguments<Variables, SubscriptionHookOptions<Data>>
): SubscriptionState<Data> {
  const client = useHearth();
  const [state, setState] = useState<Omit<SubscriptionState<Data>, "restart">>(
    { data: undefined, error: undefined, isActive: false, isConnected: false },
  );
  const [turn, setTurn] = useState(0);
  // The position that the subscription has reached. `restart` begins a turn without one: the subscription of the last
  // turn can still report its position after that.
  const reached = useRef<{ turn: number; position: string } | undefined>(undefined);
  const restart = useCallback(() => setTurn((last) => last + 1), []);
  const key = JSON.stringify(variables ?? null);
  const skip = options?.skip ?? false;
  // The callbacks of the last rendering are called, without subscribing again.
  const latest = useRef({ variables, options });
  useEffect(() => { latest.current = { variables, options }; });
  useEffect(() => {
    if (skip) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const stored = latest.current.options?.position;
    const own = reached.current?.turn === turn ? reached.current.position : undefined;
    // An app that passes no position loads again what it shows when the subscription begins.
    const position = stored === undefined ? undefined : own ?? (turn === 0 ? stored : undefined);
    const given: SubscriptionOptions = {
      signal,
      ...(position === undefined ? {} : { position }),
      onBegin: () => {
        setState((last) => ({ ...last, error: undefined, isActive: true }));
        latest.current.options?.onBegin?.();
      },
      onConnection: (isConnected) => { if (!signal.aborted) setState((last) => ({ ...last, isConnected })); },
      onPosition: (next) => {
        reached.current = { turn, position: next };
        latest.current.options?.onPosition?.(next);
      },
    };
    const listen = async () => {
      const events = client.subscribe(document, ...argumentsOf<Variables, SubscriptionOptions>(latest.current.variables, given));
      for await (const data of events) {
        if (signal.aborted) return;
        setState((last) => ({ ...last, data, error: undefined, isActive: true }));
        latest.current.options?.onEvent?.(data);
      }
    };
    listen().then(() => undefined, hearthError).then((error) => {
      if (!signal.aborted) setState(({ data }) => ({ data, error, isActive: false, isConnected: false }));
    });
    return () => {
      controller.abort();
      setState(({ data, error }) => ({ data, error, isActive: false, isConnected: false }));
    };
  }, [client, document, key, skip, turn]);
  return { ...state, restart };
}

function argumentsOf<Variables, Options>(variables: Variables | undefined, options: Options): Arguments<Variables, Options> {
  return [variables, options] as unknown as Arguments<Variables, Options>;
}

function hearthError(error: unknown): HearthError {
  return error instanceof HearthError ? error : new HearthError("unreachable", String(error));
}
