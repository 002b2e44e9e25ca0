package io.penstock.log;

import io.penstock.limits.ServerLogging;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.LogManager;
import org.slf4j.bridge.SLF4JBridgeHandler;

/**
 * Passes messages of {@code java.util.logging}, which some libraries use, to the log of {@code penstock.jar}. The JDK creates this object
 * at the first use of {@code java.util.logging}. So the start of a server is not slower if no library uses {@code java.util.logging}.
 *
 * <p>Thread: any thread that uses {@code java.util.logging}, and the thread that configures the log.
 */
public final class JulBridge {
    private static final String CONFIGURED_BY = "java.util.logging.config.class";

    private static final AtomicBoolean IN_USE = new AtomicBoolean();

    /** The class {@link LogManager} of the JDK calls this constructor. */
    public JulBridge() {
        IN_USE.set(true);
        configure(Loggers.settings());
    }

    /** Makes the JDK use this class. Does nothing if the command line of the process configures {@code java.util.logging}. */
    public static void install() {
        if (System.getProperty(CONFIGURED_BY) == null
                && System.getProperty("java.util.logging.config.file") == null
                && System.getProperty("java.util.logging.manager") == null) {
            System.setProperty(CONFIGURED_BY, JulBridge.class.getName());
        }
    }

    /** Applies the changed levels. */
    static void levels(ServerLogging settings) {
        if (IN_USE.get()) {
            configure(settings);
        }
    }

    private static void configure(ServerLogging settings) {
        StringBuilder properties = new StringBuilder("handlers=" + SLF4JBridgeHandler.class.getName() + "\n");
        properties.append(".level=").append(level(settings.rest())).append('\n');
        settings.levels().forEach((name, level) -> properties
                .append(name)
                .append(".level=")
                .append(level(level))
                .append('\n'));
        try {
            LogManager.getLogManager()
                    .readConfiguration(
                            new ByteArrayInputStream(properties.toString().getBytes(StandardCharsets.ISO_8859_1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String level(ServerLogging.Level level) {
        return switch (level) {
            case TRACE -> "FINEST";
            case DEBUG -> "FINE";
            case INFO -> "INFO";
            case WARN -> "WARNING";
            case ERROR -> "SEVERE";
            case OFF -> "OFF";
        };
    }
}
