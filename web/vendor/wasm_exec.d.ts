// The part of Go's wasm_exec.js that the workers use. It sets a global.
declare global {
  class Go {
    argv: string[];
    env: Record<string, string>;
    importObject: WebAssembly.Imports;
    exit: (code: number) => void;
    run(instance: WebAssembly.Instance): Promise<void>;
  }
}
export {};
