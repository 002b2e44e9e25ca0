package io.penstock.loadtest.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.Color;
import java.awt.GraphicsEnvironment;
import java.awt.image.BufferedImage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;

class ChartFileTest {
    @TempDir
    Path directory;

    private final Chart chart = new Chart("Users", Chart.Axis.linear("users"), Chart.Axis.logarithmic("latency (ms)"))
            .line("Penstock", new double[] {200, 400, 8000}, new double[] {0.5, 1, 20})
            .line("Another", new double[] {200, 400, 8000}, new double[] {0, Double.NaN, 2000});

    @Test
    void aPngFileHasTheSizeOfTheChartAndAWhiteBackground() throws Exception {
        Path file = directory.resolve("a.png");
        chart.save(file);
        BufferedImage image = ImageIO.read(file.toFile());
        assertEquals(Chart.WIDTH, image.getWidth());
        assertEquals(Chart.HEIGHT, image.getHeight());
        assertEquals(Color.WHITE.getRGB(), image.getRGB(0, 0));
        assertTrue(GraphicsEnvironment.isHeadless());
    }

    @Test
    void anSvgFileIsXmlAndContainsTheColourOfEachLine() throws Exception {
        Path file = directory.resolve("a.SVG");
        chart.save(file);
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        // The XML parser must not download the DTD of SVG.
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        Element svg = factory.newDocumentBuilder().parse(file.toFile()).getDocumentElement();
        assertEquals("svg", svg.getTagName());
        // Text is drawn as outlines (path elements), so the text looks the same on every machine.
        assertTrue(svg.getElementsByTagName("path").getLength() > 10);
        String text = Files.readString(file);
        assertTrue(text.contains("rgb(0,114,178)"), "the blue of the first line is missing");
        assertTrue(text.contains("rgb(213,94,0)"), "the vermilion of the second line is missing");
    }

    @Test
    void theCaptionIsBelowTheChartInLinesThatFitIntoThePicture() throws Exception {
        Path svg = directory.resolve("a.svg");
        Path png = directory.resolve("a.png");
        chart.caption("Median of 3 rounds").caption("A LONG LINE ".repeat(30).strip());
        chart.save(svg);
        chart.save(png);
        String text = Files.readString(svg);
        assertTrue(text.contains(">Median of 3 rounds<"), "the caption is missing");
        List<String> lines =
                text.lines().filter(line -> line.contains("A LONG LINE")).toList();
        assertTrue(lines.size() >= 3, "360 letters need three lines");
        BufferedImage image = ImageIO.read(png.toFile());
        assertEquals(Chart.WIDTH, image.getWidth());
        assertTrue(image.getHeight() >= Chart.HEIGHT + (lines.size() + 1) * 20, "there is no room for the caption");
        for (int y = Chart.HEIGHT; y < image.getHeight(); y++) {
            assertEquals(Color.WHITE.getRGB(), image.getRGB(Chart.WIDTH - 2, y), "a line of the caption is too long");
        }
    }

    @Test
    void aFileExtensionOtherThanPngOrSvgIsRefused() {
        IllegalArgumentException wrong =
                assertThrows(IllegalArgumentException.class, () -> chart.save(directory.resolve("a.gif")));
        assertTrue(wrong.getMessage().startsWith("A chart must be a .png or .svg file"), wrong.getMessage());
    }

    @Test
    void aChartWithoutValuesIsRefused() {
        Path file = directory.resolve("a.png");
        Chart empty = new Chart("Users", Chart.Axis.linear("users"), Chart.Axis.logarithmic("latency (ms)"))
                .line("Never answered", new double[] {200}, new double[] {Double.NaN});
        assertThrows(IllegalArgumentException.class, () -> empty.save(file));
        assertTrue(Files.notExists(file));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "0.1, 0.1",
        "10, 10",
        "99.9, 99.9",
        "'1000', '1,000'",
        "'1234567', '1,234,567'",
        "0.000001, 0.000001"
    })
    void theNumbersOnAnAxisAreShownWithoutExponents(double value, String text) {
        assertEquals(text, Chart.Axis.linear("x").ticks().apply(value));
    }
}
