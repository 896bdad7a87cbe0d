// A row of options, one of which is chosen.

export function Tabs<T extends string | number>(props: {
  label: string;
  options: readonly (readonly [T, string])[];
  value: T;
  onSelect: (value: T) => void;
}) {
  return (
    <div class="options" role="group" aria-label={props.label}>
      {props.options.map(([value, text]) => (
        <button
          key={value}
          aria-pressed={value === props.value}
          onClick={() => props.onSelect(value)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
