package io.penstock.loadtest;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.penstock.testing.HeadlessBrowser;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.imageio.IIOImage;
import javax.imageio.ImageIO;
import javax.imageio.ImageWriteParam;
import javax.imageio.ImageWriter;
import javax.imageio.stream.ImageOutputStream;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * Opens the flow board of a server (the page of its admin port) in Chromium, takes pictures of the board, and measures the processor time
 * that an open board uses. The method {@link #close} stops the browser.
 */
final class BoardVisitor implements AutoCloseable {
    private static final long MAX_PICTURE_BYTES = 300_000;
    private static final int COST_MEASUREMENT_SECONDS = 15;

    private final Path pictures;
    private final Duration timeout;
    private final ChromeDriver browser;
    private String shownTone = "";

    /** @param pictures the folder for the pictures */
    BoardVisitor(Path pictures, Duration timeout) throws IOException {
        this.pictures = Files.createDirectories(pictures);
        this.timeout = timeout;
        browser = HeadlessBrowser.start(options -> options.addArguments("--hide-scrollbars"));
    }

    @Override
    public void close() {
        browser.quit();
    }

    /** Waits until the server responds, and then opens the board of the server. */
    void openBoard(FlowBoardPicturesIT.Running server, int admin) {
        String board = "http://localhost:" + admin + "/";
        await(() -> {
            server.assertIsRunning();
            return answers(URI.create(board + "health/live"));
        });
        browser.get(board);
    }

    private static boolean answers(URI uri) {
        try {
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException notYet) {
            return false;
        }
    }

    /**
     * Waits until the board shows the given tone, for example {@code Calm}, and a sentence that matches {@code regex}.
     *
     * @param millis the minimum time for which the board must have been open, in milliseconds
     */
    void awaitState(FlowBoardPicturesIT.Running load, String tone, String regex, long millis) {
        Pattern pattern = Pattern.compile(regex);
        shownTone = tone;
        await(() -> {
            load.assertIsRunning();
            return text("tone").equals(tone)
                    && pattern.matcher(text("words")).matches()
                    && ((Number) Objects.requireNonNull(browser.executeScript("return performance.now()"))).longValue()
                            > millis;
        });
    }

    /** Waits until the details that the board shows below its sentence match {@code regex}. */
    void awaitDetails(FlowBoardPicturesIT.Running load, String regex) {
        Pattern pattern = Pattern.compile(regex);
        await(() -> {
            load.assertIsRunning();
            return pattern.matcher(String.valueOf(
                                    browser.executeScript(
                                            "return [...document.getElementById('details').children].map(one => one.textContent).join(' ')"))
                            .replace('\u00a0', ' '))
                    .matches();
        });
    }

    private void await(Condition condition) {
        new WebDriverWait(browser, timeout, Duration.ofMillis(100)).until(driver -> condition.holds());
    }

    /** A condition for which {@link #await} waits. */
    @FunctionalInterface
    private interface Condition {
        boolean holds();
    }

    private String text(String id) {
        return String.valueOf(browser.executeScript("return document.getElementById(arguments[0]).textContent", id))
                .replace('\u00a0', ' ');
    }

    /** Waits until exactly these parts of the board are marked. The state of the board changes with the load of the machine. */
    void awaitMarkedStations(FlowBoardPicturesIT.Running load, List<String> ids) {
        await(() -> {
            load.assertIsRunning();
            return ids.equals(browser.executeScript(
                    "return [...document.querySelectorAll('.station.marked')].map(one => one.id)"));
        });
    }

    /**
     * Takes a picture of the whole page. The window of the browser has the given width. If the board shows another tone than the one of
     * {@link #awaitState} when the picture is taken, because other programs use the machine, this method takes another picture.
     */
    void picture(String name, int width, String colours) throws IOException {
        browser.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", colours))));
        size(width, 900);
        size(
                width,
                ((Number) Objects.requireNonNull(browser.executeScript("return document.documentElement.scrollHeight")))
                        .intValue());
        // After two updates of the board, the page has its new size, and its animations have ended.
        for (int look = 0; look < 2; look++) {
            String seen = text("seen");
            await(() -> !text("seen").equals(seen));
        }
        byte[] seenAs;
        do {
            await(() -> text("tone").equals(shownTone));
            seenAs = browser.getScreenshotAs(OutputType.BYTES);
        } while (!text("tone").equals(shownTone));
        byte[] png = compressed(seenAs);
        assertTrue(png.length < MAX_PICTURE_BYTES, "the picture " + name + " is too large: " + png.length + " bytes");
        Files.write(pictures.resolve(name + ".png"), png);
    }

    /** Converts a picture to a smaller file: without transparency, and with the highest compression. */
    private static byte[] compressed(byte[] png) throws IOException {
        BufferedImage seen = ImageIO.read(new ByteArrayInputStream(png));
        BufferedImage opaque = new BufferedImage(seen.getWidth(), seen.getHeight(), BufferedImage.TYPE_3BYTE_BGR);
        Graphics2D pen = opaque.createGraphics();
        pen.drawImage(seen, 0, 0, null);
        pen.dispose();
        ImageWriter writer = ImageIO.getImageWritersByFormatName("png").next();
        ImageWriteParam most = writer.getDefaultWriteParam();
        most.setCompressionMode(ImageWriteParam.MODE_EXPLICIT);
        most.setCompressionQuality(0);
        ByteArrayOutputStream small = new ByteArrayOutputStream();
        try (ImageOutputStream out = ImageIO.createImageOutputStream(small)) {
            writer.setOutput(out);
            writer.write(null, new IIOImage(opaque, null, null), most);
        } finally {
            writer.dispose();
        }
        return small.toByteArray();
    }

    // ---- the processor time of an open board

    /** Measures and prints the processor time that the server and the browser use while one board is open. */
    void printCost(String name, int admin) throws Exception {
        String board = browser.getCurrentUrl();
        size(1440, 1100);
        browser.get("about:blank");
        double before = serverSeconds(admin);
        browser.get(board);
        Duration pageBefore = browserTime();
        double followed = serverSeconds(admin);
        Duration page = browserTime().minus(pageBefore);
        browser.get("about:blank");
        double after = serverSeconds(admin);
        System.out.printf(
                Locale.ROOT,
                "Cost of an open board, %s: the server used %.1f %% of a processor while the board was open, %.1f %% before and %.1f %%"
                        + " afterwards; the browser, which draws without a graphics card here, %.1f %%%n",
                name,
                100 * followed / COST_MEASUREMENT_SECONDS,
                100 * before / COST_MEASUREMENT_SECONDS,
                100 * after / COST_MEASUREMENT_SECONDS,
                100 * page.toMillis() / 1e3 / COST_MEASUREMENT_SECONDS);
    }

    /** Waits for {@code COST_MEASUREMENT_SECONDS} seconds, and returns the processor time that the server used in these seconds. */
    private double serverSeconds(int admin) throws Exception {
        double before = serverTime(admin);
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(COST_MEASUREMENT_SECONDS);
        await(() -> System.nanoTime() >= until);
        return serverTime(admin) - before;
    }

    private static double serverTime(int admin) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + admin + "/metrics"))
                .build();
        return HttpClient.newHttpClient()
                .send(request, HttpResponse.BodyHandlers.ofLines())
                .body()
                .filter(line -> line.startsWith("process_cpu_seconds_total "))
                .mapToDouble(line -> Double.parseDouble(line.split(" ")[1]))
                .sum();
    }

    /** Returns the total processor time that all processes of the browser have used so far. */
    private static Duration browserTime() {
        return ProcessHandle.current()
                .descendants()
                .filter(process -> process.info().command().orElse("").endsWith("chromium"))
                .map(process -> process.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    private void size(int width, int height) {
        browser.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }
}
