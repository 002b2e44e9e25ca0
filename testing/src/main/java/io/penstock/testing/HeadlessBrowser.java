package io.penstock.testing;

import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;

/**
 * Starts a browser without a screen and without connections of its own. A module that uses this class must depend on Selenium, and its
 * tests must name {@link Program#CHROMIUM} and {@link Program#CHROMEDRIVER}.
 */
public final class HeadlessBrowser {
    // Selenium warns about each browser newer than itself. The field keeps the logger reachable: an unreferenced logger
    // loses its level.
    private static final Logger SELENIUM = Logger.getLogger("org.openqa.selenium");

    private HeadlessBrowser() {}

    /**
     * A new browser; the caller quits it.
     *
     * @param more adds further options that a test needs
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
                        .usingAnyFreePort()
                        .build(),
                options);
    }
}
