import type { EChartsCoreOption } from 'echarts/core';
import { loadOptional } from '../../env/optional-packages.js';
import { type Chart, type Curve, placeOf } from './chart.js';

const [charts, components, { init, use }, { SVGRenderer }] = await loadOptional('echarts', () =>
  Promise.all([
    import('echarts/charts'),
    import('echarts/components'),
    import('echarts/core'),
    import('echarts/renderers'),
  ]),
);
use([charts.CustomChart, charts.LineChart, SVGRenderer]);
use([components.GridComponent, components.LegendComponent, components.TitleComponent]);

/** Size of a chart in pixels, and the number of charts in a row. */
const CHART_WIDTH = 520;
const CHART_HEIGHT = 300;
const COLUMNS = 2;
/** Margins of a chart in pixels, for its title, legend and numbers. */
const MARGIN = { left: 60, right: 24, top: 80, bottom: 44 };
/** Most points of a curve that are marked: more would hide it. */
const MOST_MARKS = 20;
/** Most error bars of a curve: more would touch each other, and each takes 10 kB of memory while it is drawn. */
const MOST_BARS = 500;
/** Distinguishable with any colour vision (Okabe and Ito 2008). */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#000000'];

/** Greatest size of a drawn number. ECharts fails at axes whose length or step is too large or too small for a double. */
const GREATEST = 1e100;
/** Numbers nearer to 0 are drawn as 0. */
const LEAST = 1e-12;

/** The number that is drawn for a value, which may come from a file of anyone. */
function drawable(value: number): number {
  if (Math.abs(value) < LEAST) return 0;
  return Math.min(GREATEST, Math.max(-GREATEST, value));
}

/**
 * Error bars from the low to the high end of each interval, or of every n-th one if there are many; an open end reaches
 * the edge of the chart.
 */
function intervalSeries(curve: Curve, index: number, color: string): object {
  const bounded = curve.points.flatMap((point) => {
    const { low, high } = point;
    return low === undefined || high === undefined ? [] : [[placeOf(point), low ?? NaN, high ?? NaN]];
  });
  const every = Math.ceil(bounded.length / MOST_BARS);
  const drawn = bounded.filter((_, order) => order % every === 0);
  return {
    type: 'custom',
    name: curve.name,
    xAxisIndex: index,
    yAxisIndex: index,
    silent: true,
    data: drawn.map((numbers) => numbers.map(drawable)),
    encode: { x: 0, y: [1, 2] },
    renderItem: (
      { coordSys }: { readonly coordSys: { readonly y: number; readonly height: number } },
      api: { value(dimension: number): number; coord(point: readonly number[]): number[] },
    ) => {
      const [low, high] = [api.value(1), api.value(2)];
      const heightOf = (value: number): number | undefined => api.coord([api.value(0), value])[1];
      const [x] = api.coord([api.value(0), 0]);
      const y1 = Number.isNaN(low) ? coordSys.y + coordSys.height : heightOf(low);
      const y2 = Number.isNaN(high) ? coordSys.y : heightOf(high);
      return {
        type: 'line',
        shape: { x1: x, y1, x2: x, y2 },
        style: { stroke: color, lineWidth: 1.5, opacity: 0.6 },
      };
    },
  };
}

function seriesOf(chart: Chart, index: number, colors: readonly string[] = COLORS): readonly object[] {
  return chart.curves.flatMap((curve, order) => {
    const color = colors[order % colors.length]!;
    const line = {
      type: 'line',
      name: curve.name,
      xAxisIndex: index,
      yAxisIndex: index,
      silent: true,
      emphasis: { disabled: true },
      symbol: curve.isLevel === true || curve.points.length > MOST_MARKS ? 'none' : 'circle',
      symbolSize: 5,
      lineStyle: { width: 2, type: curve.isLevel === true ? 'dashed' : 'solid' },
      itemStyle: { color },
      color,
      data: curve.points.map((point) => [placeOf(point), point.value].map(drawable)),
    };
    return [line, intervalSeries(curve, index, color)];
  });
}

/** Top left corner of chart `index` in pixels. */
function cornerOf(index: number): { readonly left: number; readonly top: number } {
  return { left: (index % COLUMNS) * CHART_WIDTH, top: Math.floor(index / COLUMNS) * CHART_HEIGHT };
}

function optionsOf(charts: readonly Chart[]): EChartsCoreOption {
  const places = charts.map((_, index) => cornerOf(index));
  return {
    animation: false,
    backgroundColor: '#ffffff',
    title: charts.map(({ title, unit }, index) => ({
      text: `${title} (${unit})`,
      left: places[index]!.left + MARGIN.left,
      top: places[index]!.top + 12,
      textStyle: { fontSize: 14 },
    })),
    legend: charts.map(({ curves }, index) => ({
      data: curves.map(({ name }) => name),
      left: places[index]!.left + MARGIN.left,
      top: places[index]!.top + 36,
      width: CHART_WIDTH - MARGIN.left - MARGIN.right,
      itemWidth: 14,
      itemHeight: 8,
      selectedMode: false,
      silent: true,
      textStyle: { fontSize: 11 },
    })),
    grid: places.map(({ left, top }) => ({
      left: left + MARGIN.left,
      top: top + MARGIN.top,
      width: CHART_WIDTH - MARGIN.left - MARGIN.right,
      height: CHART_HEIGHT - MARGIN.top - MARGIN.bottom,
    })),
    xAxis: charts.map(({ axis }, gridIndex) => ({
      gridIndex,
      type: 'value',
      name: axis ?? 'generation',
      nameLocation: 'middle',
      nameGap: 26,
      axisTick: { show: false },
      ...(axis === undefined && { minInterval: 1 }),
    })),
    yAxis: charts.map(({ range }, gridIndex) => ({
      gridIndex,
      type: 'value',
      scale: true,
      axisTick: { show: false },
      ...(range === undefined ? {} : { min: range[0], max: range[1] }),
    })),
    series: charts.flatMap((chart, index) => seriesOf(chart, index)),
  };
}

/**
 * Removes what a still picture does not need: names that ECharts numbers across images, its notes on series, reactions
 * to the pointer, and decimals beyond a tenth of a pixel. The font is named once.
 */
function stillPicture(svg: string): string {
  return svg
    .replace(/<style[^]*?<\/style>\n*/, '')
    .replace(/ (?:class|pointer-events|ecmeta_\w+)="[^"]*"/g, '')
    .replaceAll('font-family:sans-serif;', '')
    .replace('<svg ', '<svg font-family="sans-serif" ')
    .replace(/><\/(?:path|rect)>/g, '/>')
    .replace(/\bzr\d+-/g, 'clip-')
    .replace(/ (?:d|transform|x|y|width|height)="[^"]*"/g, (place) => place.replace(/(\.\d)\d+/g, '$1'));
}

/**
 * Draws charts side by side as one SVG image; equal charts give equal text.
 *
 * @param charts at least one.
 */
export function chartsSvg(charts: readonly Chart[]): string {
  const width = CHART_WIDTH * Math.min(COLUMNS, charts.length);
  const height = CHART_HEIGHT * Math.ceil(charts.length / COLUMNS);
  const view = init(null, null, { renderer: 'svg', ssr: true, width, height });
  try {
    view.setOption(optionsOf(charts));
    return stillPicture(view.renderToSVGString());
  } finally {
    view.dispose();
  }
}

/** Colours of a page's chart, by number; the page defines them for light and dark. */
export const PAGE_COLORS = COLORS.map((_, index) => `var(--c${index})`);
const FIGURE_HEIGHT = 240;
const FIGURE_MARGIN = { left: 52, right: 14, top: 12, bottom: 42 };

/** A chart of a page, and the mapping of values to pixels: `pixel = offset + scale * value`. */
export interface Figure {
  readonly svg: string;
  readonly width: number;
  readonly height: number;
  readonly x: readonly [offset: number, scale: number];
  readonly y: readonly [offset: number, scale: number];
}

function figureOptions(chart: Chart): EChartsCoreOption {
  const ink = 'var(--soft)';
  const lines = { lineStyle: { color: 'var(--line)' } };
  const axis = {
    axisLabel: { color: ink, fontSize: 11, hideOverlap: true },
    axisLine: lines,
    axisTick: lines,
  };
  const [low, high] = chart.range ?? [];
  return {
    animation: false,
    backgroundColor: 'transparent',
    grid: FIGURE_MARGIN,
    xAxis: {
      ...axis,
      type: 'value',
      name: chart.axis ?? 'generation',
      nameLocation: 'middle',
      nameGap: 26,
      nameTextStyle: { color: ink, fontSize: 11 },
      splitLine: { show: false },
      ...(chart.axis === undefined && { minInterval: 1 }),
      scale: true,
    },
    yAxis: {
      ...axis,
      type: 'value',
      scale: true,
      splitLine: lines,
      ...(low !== undefined && { min: low, max: high }),
    },
    series: seriesOf(chart, 0, PAGE_COLORS),
  };
}

/**
 * Draws a chart for a page, without title and legend. Its colours are variables of the page's style.
 *
 * @param width in pixels.
 */
export function chartFigure(chart: Chart, width: number): Figure {
  const view = init(null, null, { renderer: 'svg', ssr: true, width, height: FIGURE_HEIGHT });
  try {
    view.setOption(figureOptions(chart));
    const pixel = (value: number): readonly [number, number] =>
      view.convertToPixel({ gridIndex: 0 }, [value, value]) as [number, number];
    const [zero, one] = [pixel(0), pixel(1)];
    const svg = stillPicture(view.renderToSVGString());
    return {
      svg,
      width,
      height: FIGURE_HEIGHT,
      x: [zero[0], one[0] - zero[0]],
      y: [zero[1], one[1] - zero[1]],
    };
  } finally {
    view.dispose();
  }
}
