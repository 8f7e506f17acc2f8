import { type Chart, type Curve, type CurvePoint, placeOf } from '../chart.js';
import { chartFigure, type Figure, PAGE_COLORS } from '../charts-svg.js';
import { escapeHtml } from '../html-page.js';

/** Widths of the two drawings of a chart, for a screen of 400 pixels and for half of one of 1,200. */
const WIDTHS = { narrow: 342, wide: 544 } as const;

/** A chart as the page's script reads it: names and values, and their places in the two drawings. */
export interface FigureData {
  readonly axis: string;
  readonly curves: readonly {
    readonly name: string;
    readonly color: string;
    /** Place, value, and bounds of the interval, if known. */
    readonly points: readonly (readonly (number | string)[])[];
  }[];
  readonly sizes: readonly Omit<Figure, 'svg'>[];
}

/** A chart as HTML, with its data. */
export interface FigureHtml {
  readonly html: string;
  readonly data: FigureData;
}

function short(value: number): number {
  return Number(value.toPrecision(4));
}

/** The bounds of the interval of a point; none if they are unknown. */
function boundsOf({ low, high }: CurvePoint): readonly (number | string)[] {
  if (low === undefined || high === undefined) return [];
  return [low === null ? '-∞' : short(low), high === null ? '+∞' : short(high)];
}

function pointsOf({ points }: Curve): readonly (readonly (number | string)[])[] {
  return points.map((point) => [placeOf(point), short(point.value), ...boundsOf(point)]);
}

/** A value and its interval, for the table. */
function cellOf(point: CurvePoint): string {
  const bounds = boundsOf(point);
  return `${short(point.value)}${bounds.length === 0 ? '' : ` [${bounds.join(', ')}]`}`;
}

function colorOf(order: number): string {
  return PAGE_COLORS[order % PAGE_COLORS.length]!;
}

/** The values as a table, which needs neither pointer nor script. */
function valuesTable({ curves, axis = 'generation' }: Chart): string {
  const places = [...new Set(curves.flatMap(({ points }) => points.map(placeOf)))].sort((a, b) => a - b);
  const head = [axis, ...curves.map(({ name }) => name)].map(
    (name) => `<th scope="col">${escapeHtml(name)}</th>`,
  );
  // In reverse, as the first of several points at one place is shown.
  const columns = curves.map(
    ({ points }) => new Map(points.toReversed().map((point) => [placeOf(point), point])),
  );
  const rows = places.map((place) => {
    const cells = columns.map((points) => {
      const point = points.get(place);
      return `<td>${point === undefined ? '' : cellOf(point)}</td>`;
    });
    return `<tr><td>${short(place)}</td>${cells.join('')}</tr>`;
  });
  return `<details><summary>Values</summary><div class="table"><table><thead><tr>${head.join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></details>`;
}

/**
 * A chart for the page.
 *
 * @param index of the chart in the page's data.
 */
export function figureHtml(chart: Chart, index: number): FigureHtml {
  const { title, unit, note, axis = 'generation', curves } = chart;
  const drawings = Object.entries(WIDTHS).map(([name, width]) => ({ name, ...chartFigure(chart, width) }));
  const pictures = drawings.map(({ name, svg, width, height }) => {
    const scaled = svg.replace(
      /^<svg [^>]*>/,
      `<svg class="${name}" viewBox="0 0 ${width} ${height}" aria-hidden="true">`,
    );
    return scaled.trim();
  });
  const legend = curves.map(
    ({ name }, order) => `<li><i style="background:${colorOf(order)}"></i>${escapeHtml(name)}</li>`,
  );
  const label = escapeHtml(`${title}, ${unit}: arrow keys show the values`);
  const html = `<figure><h3>${escapeHtml(title)} <small>${escapeHtml(unit)}</small></h3>
${note === undefined ? '' : `<p class="soft">${escapeHtml(note)}</p>\n`}<ul class="legend">${legend.join('')}</ul>
<div class="plot" data-chart="${index}" tabindex="0" role="group" aria-label="${label}">${pictures.join('\n')}</div>
${valuesTable(chart)}</figure>`;
  return {
    html,
    data: {
      axis,
      curves: curves.map((curve, order) => ({
        name: curve.name,
        color: colorOf(order),
        points: pointsOf(curve),
      })),
      sizes: drawings.map(({ width, height, x, y }) => ({ width, height, x, y })),
    },
  };
}
