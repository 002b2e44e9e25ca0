package io.penstock.loadtest.report;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.DoubleFunction;
import java.util.stream.IntStream;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.internal.chartpart.IChart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.XYStyler;
import org.knowm.xchart.style.markers.Marker;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A line chart, as PNG or SVG. Lines differ by colour and by marker, so readers who cannot distinguish the colours can use the markers. A
 * point is left out if it was not measured, or is not positive on a logarithmic axis. The title says what is shown, and the caption with
 * which settings, since a picture is often seen alone.
 */
public final class Chart {
    public static final int WIDTH = 1200;
    public static final int HEIGHT = 700;

    private static final Set<String> FORMATS = Set.of("png", "svg");

    static {
        // The machine may have no screen. The property must be set before the first class of AWT is loaded.
        System.setProperty("java.awt.headless", "true");
    }

    // The colours of Okabe and Ito, which colour-blind people can distinguish. Yellow is left out, since it is hard to
    // see on white.
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
    // If there are more lines than colours, the additional lines have the same colours again, but are dashed.
    private static final BasicStroke DASHED =
            new BasicStroke(2.2f, BasicStroke.CAP_BUTT, BasicStroke.JOIN_ROUND, 1, new float[] {8, 5}, 0);

    private final XYChart chart;
    private final List<String> caption = new ArrayList<>();
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

    /** Adds a text below the chart, such as the settings of the measurement. */
    public Chart caption(String text) {
        caption.add(text);
        return this;
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
        // A chart with a single line needs no legend, since the title names it.
        chart.getStyler().setLegendVisible(lines > 1);
        return this;
    }

    public boolean isEmpty() {
        return lines == 0;
    }

    /**
     * Writes the chart. The extension of the file, {@code .png} or {@code .svg}, determines the format.
     *
     * @throws IllegalArgumentException if the file has another extension, or the chart has no line
     */
    public void save(Path file) throws IOException {
        checkName(file);
        if (isEmpty()) {
            throw new IllegalArgumentException("No data to draw in " + file);
        }
        WholeFile.write(file, out -> ChartEncoder.saveChart(new Captioned(chart, caption), out, extension(file)));
    }

    /** @throws IllegalArgumentException if the extension of the file is not {@code .png} or {@code .svg} */
    public static void checkName(Path file) {
        if (!FORMATS.contains(extension(file))) {
            throw new IllegalArgumentException("A chart must be a .png or .svg file, not " + file);
        }
    }

    public static String extension(Path file) {
        String name = file.toString();
        return name.substring(name.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT);
    }

    public static Color color(int series) {
        return COLORS.get(series % COLORS.size());
    }

    /** Sets the style that all kinds of charts share. */
    public static void styleAll(AxesChartStyler styler) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBackgroundColor(Color.WHITE);
        styler.setLegendBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setPlotGridLinesColor(new Color(0xDDDDDD));
        // The grid has solid lines. With dashed lines, each dash would be a separate shape in SVG, and the file would
        // be half a megabyte larger.
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

    /**
     * A chart with lines of text below it. They name the settings of the measurement, so that the picture can be understood without the
     * document that contains it.
     */
    public record Captioned(IChart chart, List<String> lines) implements IChart {
        private static final int LINE_HEIGHT = 20;
        private static final int MARGIN = 12;
        private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
        private static final FontRenderContext TO_MEASURE = new FontRenderContext(null, true, true);

        /** The widest line, as a part of the picture. A viewer of an SVG file may have a wider font. */
        private static final double WIDEST = 0.92;

        public Captioned {
            double most = WIDEST * chart.getWidth();
            lines = lines.stream().flatMap(line -> wrapped(line, most).stream()).toList();
        }

        /** Breaks a text at spaces, so that no line is longer than the picture is wide. */
        private static List<String> wrapped(String text, double most) {
            List<String> lines = new ArrayList<>();
            StringBuilder line = new StringBuilder();
            for (String word : text.split(" ")) {
                if (!line.isEmpty() && width(line + " " + word) > most) {
                    lines.add(line.toString());
                    line.setLength(0);
                }
                line.append(line.isEmpty() ? "" : " ").append(word);
            }
            lines.add(line.toString());
            return lines;
        }

        private static double width(String line) {
            return FONT.getStringBounds(line, TO_MEASURE).getWidth();
        }

        @Override
        public void paint(Graphics2D pen, int width, int height) {
            pen.setColor(Color.WHITE);
            pen.fillRect(0, 0, width, height);
            chart.paint(pen, width, chart.getHeight());
            pen.setColor(Color.DARK_GRAY);
            pen.setFont(FONT);
            for (int at = 0; at < lines.size(); at++) {
                // SVG files have this text as text, so it can be searched and copied.
                pen.drawString(lines.get(at), MARGIN, chart.getHeight() + (at + 1) * LINE_HEIGHT - LINE_HEIGHT / 4);
            }
        }

        @Override
        public int getWidth() {
            return chart.getWidth();
        }

        @Override
        public int getHeight() {
            return lines.isEmpty() ? chart.getHeight() : chart.getHeight() + lines.size() * LINE_HEIGHT + MARGIN;
        }

        @Override
        public String getTitle() {
            return chart.getTitle();
        }
    }

    /**
     * An axis of a chart.
     *
     * @param title the title with the unit, such as {@code latency (ms)}
     * @param ticks a function that formats the values on the axis
     */
    public record Axis(String title, Scale scale, DoubleFunction<String> ticks) {

        /** The scale of the axis. */
        public enum Scale {
            LINEAR,
            LOGARITHMIC
        }

        public static Axis linear(String title) {
            return new Axis(title, Scale.LINEAR, Axis::plain);
        }

        public static Axis logarithmic(String title) {
            return new Axis(title, Scale.LOGARITHMIC, Axis::plain);
        }

        /** Returns the same axis with another format of its values. */
        public Axis withTicks(DoubleFunction<String> other) {
            return new Axis(title, scale, other);
        }

        boolean isLogarithmic() {
            return scale == Scale.LOGARITHMIC;
        }

        boolean shows(double value) {
            return Double.isFinite(value) && (!isLogarithmic() || value > 0);
        }

        /** Writes a number without an exponent, and without zeros at the end. */
        public static String plain(double value) {
            if (value == Math.rint(value) && Math.abs(value) < 1e15) {
                return String.format(Locale.ROOT, "%,d", (long) value);
            }
            String digits = String.format(Locale.ROOT, "%.6f", value);
            return digits.replaceFirst("0+$", "").replaceFirst("\\.$", "");
        }
    }
}
