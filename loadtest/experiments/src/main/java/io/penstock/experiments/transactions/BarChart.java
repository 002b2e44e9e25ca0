package io.penstock.experiments.transactions;

import io.penstock.loadtest.report.Chart;
import io.penstock.loadtest.report.WholeFile;
import java.awt.Font;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.style.CategoryStyler;

/** A bar chart with groups of bars, as PNG or SVG. A missing value has no bar. */
final class BarChart {
    static {
        // The machine may have no screen. The property must be set before the first class of AWT is loaded.
        System.setProperty("java.awt.headless", "true");
    }

    private static final int MOST_GROUPS_WITH_LABELS = 12;
    private static final double LEAST_WITHOUT_FRACTION = 100;

    private final CategoryChart chart;
    private final List<String> caption = new ArrayList<>();
    private final List<String> groups;
    private int series;

    /**
     * Creates a chart without bars.
     *
     * @param y the title of the vertical axis, with the unit
     * @param groups the names of the groups, which are shown below the bars
     */
    BarChart(String title, String x, String y, List<String> groups) {
        this.groups = List.copyOf(groups);
        this.chart = new CategoryChartBuilder()
                .width(Chart.WIDTH)
                .height(Chart.HEIGHT)
                .title(title)
                .xAxisTitle(x)
                .yAxisTitle(y)
                .build();
        CategoryStyler styler = chart.getStyler();
        Chart.styleAll(styler);
        styler.setYAxisMin(0.0);
        styler.setAvailableSpaceFill(0.85);
        // The heights are shown as numbers if there is enough room for them.
        styler.setLabelsVisible(groups.size() <= MOST_GROUPS_WITH_LABELS);
        styler.setLabelsPosition(1.05);
        styler.setLabelsFont(new Font(Font.SANS_SERIF, Font.PLAIN, 12));
        styler.setYAxisDecimalPattern("#,##0.#");
    }

    /** Adds a text below the chart, such as the settings of the measurement. */
    BarChart caption(String text) {
        caption.add(text);
        return this;
    }

    /** Adds a bar to each group. */
    BarChart bars(String name, double[] heights) {
        if (heights.length != groups.size()) {
            throw new IllegalArgumentException(heights.length + " bars for " + groups.size() + " groups");
        }
        List<@Nullable Double> shown = new ArrayList<>();
        for (double height : heights) {
            if (height >= LEAST_WITHOUT_FRACTION) {
                chart.getStyler().setYAxisDecimalPattern("#,##0");
            }
            shown.add(Double.isFinite(height) ? height : null);
        }
        chart.addSeries(name, groups, shown).setFillColor(Chart.color(series));
        series++;
        return this;
    }

    /**
     * Writes the chart. The extension of the file, {@code .png} or {@code .svg}, determines the format.
     *
     * @throws IllegalArgumentException if the file has another extension, or the chart has no bars
     */
    void save(Path file) throws IOException {
        Chart.checkName(file);
        if (series == 0) {
            throw new IllegalArgumentException("No data to draw in " + file);
        }
        WholeFile.write(
                file, out -> ChartEncoder.saveChart(new Chart.Captioned(chart, caption), out, Chart.extension(file)));
    }
}
