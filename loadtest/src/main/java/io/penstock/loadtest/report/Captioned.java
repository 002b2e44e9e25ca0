package io.penstock.loadtest.report;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.util.ArrayList;
import java.util.List;
import org.knowm.xchart.internal.chartpart.IChart;

/**
 * A chart with lines of text below it. They name the settings of the measurement, so that the picture can be understood without the
 * document that contains it.
 */
record Captioned(IChart chart, List<String> lines) implements IChart {
    private static final int LINE_HEIGHT = 20;
    private static final int MARGIN = 12;
    private static final Font FONT = new Font(Font.SANS_SERIF, Font.PLAIN, 13);
    private static final FontRenderContext TO_MEASURE = new FontRenderContext(null, true, true);

    /** The widest line, as a part of the picture. A viewer of an SVG file may have a wider font. */
    private static final double WIDEST = 0.92;

    Captioned {
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
