// What the hooks and their check use of React. With npm, `@types/react` has all of it: Hearth's tests check with both.

declare module "react" {
  export type ReactNode = ReactElement | string | number | boolean | null | undefined | ReactNode[];
  export interface ReactElement { readonly type: unknown; readonly props: unknown; readonly key: string | null }
  type Component<Props> = (props: Props) => ReactElement | null;
  type DependencyList = readonly unknown[];

  export interface Context<Value> { readonly Provider: Component<{ value: Value; children?: ReactNode }> }
  export function createContext<Value>(value: Value): Context<Value>;
  export function createElement<Props>(type: Component<Props>, props: Props, ...children: ReactNode[]): ReactElement;
  export function useCallback<Callback extends Function>(callback: Callback, dependencies: DependencyList): Callback;
  export function useContext<Value>(context: Context<Value>): Value;
  export function useEffect(effect: () => void | (() => void) | undefined, dependencies?: DependencyList): void;
  export function useRef<Value>(value: Value): { current: Value };
  export function useState<State>(
    initial: State | (() => State),
  ): [state: State, setState: (next: State | ((last: State) => State)) => void];
}
