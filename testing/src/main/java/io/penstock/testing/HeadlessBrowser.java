package io.penstock.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/**
 * Starts a browser without a screen and without background connections. A module that uses this class must depend on Selenium. A test that
 * uses this class must have {@link NeedsProgram} with {@link Program#CHROMIUM} and {@link Program#CHROMEDRIVER}.
 */
public final class HeadlessBrowser {
    // Selenium logs a warning if the browser is newer than Selenium. The level of this logger hides the warning.
    // Without a reference, the logger could be garbage-collected together with its level.
    private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

    private HeadlessBrowser() {}

    /**
     * Starts a new browser. The caller must quit the browser.
     *
     * @param more adds further browser options that a test needs
     */
    public static ChromeDriver start(Consumer<ChromeOptions> more) {
        SELENIUM.setLevel(Level.SEVERE);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(Program.CHROMIUM.path().toFile());
        options.addArguments("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage");
        options.addArguments("--disable-background-networking", "--lang=en");
        more.accept(options);
        return new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(Program.CHROMEDRIVER.path().toFile())
                        .usingPort(port())
                        .build(),
                options);
    }

    private static int port() {
        try {
            return FreePort.next();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
