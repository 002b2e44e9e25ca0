package io.penstock.loadtest.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * Lines over two axes, as PNG or SVG. Lines differ by colour and by marker, so each of these suffices to distinguish them. A
 * point that has no place on an axis (not measured, or not positive on a logarithmic one) is left out.
 */
public final class Chart {
    public static final int WIDTH = 1200;
    public static final int HEIGHT = 700;

    private static final Set<String> FORMATS = Set.of("png", "svg");

    static {
        // Set before the first class of AWT is loaded: there may be no screen.
        System.setProperty("java.awt.headless", "true");
    }

    // The colours of Okabe and Ito, which colour-blind people can distinguish. Yellow is left out, since it is pale
    // on white.
    private static final List<Color> COLORS = List.of(
            new Color(0x0072B2),
            new Color(0xD55E00),
            new Color(0x009E73),
            new Color(0xCC79A7),
            new Color(0xE69F00),
            new Color(0x56B4E9),
            new Color(0x000000));

    private static final List<Marker> MARKERS = List.of(
            SeriesMarkers.CIRCLE,
            SeriesMarkers.SQUARE,
            SeriesMarkers.TRIANGLE_UP,
            SeriesMarkers.DIAMOND,
            SeriesMarkers.TRIANGLE_DOWN,
            SeriesMarkers.CROSS,
            SeriesMarkers.PLUS,
            SeriesMarkers.RECTANGLE,
            SeriesMarkers.TRAPEZOID);

    private static final BasicStroke SOLID = new BasicStroke(2.2f);
    // For lines after the last colour, with which the colours begin again.
    private static final BasicStroke DASHED =
            new BasicStroke(2.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {8, 5}, 0);

    private final XYChart chart;
    private final Axis x;
    private final Axis y;
    private int lines;

    public Chart(String title, Axis x, Axis y) {
        this.x = x;
        this.y = y;
        this.chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(x.title())
                .yAxisTitle(y.title())
                .build();
        style(chart.getStyler());
    }

    /** Adds a line with a marker at every point. */
    public Chart line(String name, double[] xs, double[] ys) {
        if (xs.length != ys.length) {
            throw new IllegalArgumentException(xs.length + " x values, " + ys.length + " y values of " + name);
        }
        int[] shown = IntStream.range(0, xs.length)
                .filter(i -> x.shows(xs[i]) && y.shows(ys[i]))
                .toArray();
        if (shown.length == 0) {
            return this;
        }
        XYSeries series = chart.addSeries(
                name,
                IntStream.of(shown).mapToDouble(i -> xs[i]).toArray(),
                IntStream.of(shown).mapToDouble(i -> ys[i]).toArray());
        Color color = color(lines);
        series.setLineColor(color);
        series.setMarkerColor(color);
        series.setMarker(MARKERS.get(lines % MARKERS.size()));
        series.setLineStyle(lines < COLORS.size() ? SOLID : DASHED);
        lines++;
        // A single line needs no name beside the title.
        chart.getStyler().setLegendVisible(lines > 1);
        return this;
    }

    /** Whether there is no line. */
    public boolean isEmpty() {
        return lines == 0;
    }

    /**
     * Writes the chart in the format of the file's ending: {@code .png} or {@code .svg}.
     *
     * @throws IllegalArgumentException if the ending is another, or there is no line
     */
    public void save(Path file) throws IOException {
        checkName(file);
        if (isEmpty()) {
            throw new IllegalArgumentException("No data to draw in " + file);
        }
        WholeFile.write(file, out -> ChartEncoder.saveChart(chart, out, extension(file)));
    }

    /** @throws IllegalArgumentException if a chart cannot be written into a file of that name */
    public static void checkName(Path file) {
        if (!FORMATS.contains(extension(file))) {
            throw new IllegalArgumentException("A chart must be a .png or .svg file, not " + file);
        }
    }

    static String extension(Path file) {
        String name = file.toString();
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    /** The colour of the series with this number. */
    static Color color(int series) {
        return COLORS.get(series % COLORS.size());
    }

    /** Sets the style of every chart. */
    static void styleAll(AxesChartStyler styler) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBackgroundColor(Color.WHITE);
        styler.setLegendBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setPlotGridLinesColor(new Color(0xDDDDDD));
        // The grid has solid lines: in SVG each dash would be a shape of its own, and all dashes together half a
        // megabyte.
        styler.setPlotGridLinesStroke(new BasicStroke(1f));
        styler.setLegendPosition(LegendPosition.OutsideE);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setChartTitleFont(new Font(Font.SANS_SERIF, Font.BOLD, 20));
        styler.setLegendFont(new Font(Font.SANS_SERIF, Font.PLAIN, 15));
        styler.setAxisTitleFont(new Font(Font.SANS_SERIF, Font.PLAIN, 16));
        styler.setAxisTickLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 14));
        styler.setChartTitleBoxVisible(false);
    }

    private void style(XYStyler styler) {
        styleAll(styler);
        styler.setMarkerSize(9);
        styler.setXAxisLogarithmic(x.isLogarithmic());
        styler.setYAxisLogarithmic(y.isLogarithmic());
        styler.setXAxisTickLabelsFormattingFunction(value -> x.ticks().apply(value));
        styler.setYAxisTickLabelsFormattingFunction(value -> y.ticks().apply(value));
        if (!x.isLogarithmic()) {
            styler.setXAxisMin(0.0);
        }
        if (!y.isLogarithmic()) {
            styler.setYAxisMin(0.0);
        }
    }
}
