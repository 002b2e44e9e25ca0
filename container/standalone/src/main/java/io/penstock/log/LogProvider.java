package io.penstock.log;

import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** The slf4j provider of {@code penstock.jar}. Thread: any. */
public final class LogProvider implements SLF4JServiceProvider {
    private static final String PROVIDER = "slf4j.provider";
    private static final String VERBOSITY = "slf4j.internal.verbosity";

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter contexts = new NOPMDCAdapter();

    /**
     * Names this provider to slf4j, in system properties. Otherwise, slf4j would search all jars for a provider and delay the start. At its
     * end, the method removes the properties. Otherwise, an application with its own slf4j would read these properties, too.
     */
    public static void install() {
        if (System.getProperty(PROVIDER) != null || System.getProperty(VERBOSITY) != null) {
            // The operator has configured slf4j.
            return;
        }
        System.setProperty(PROVIDER, LogProvider.class.getName());
        // Hides the message of slf4j about the property slf4j.provider.
        System.setProperty(VERBOSITY, "WARN");
        try {
            LoggerFactory.getILoggerFactory();
        } finally {
            System.clearProperty(PROVIDER);
            System.clearProperty(VERBOSITY);
        }
    }

    @Override
    public ILoggerFactory getLoggerFactory() {
        return Loggers.ALL;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return markers;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return contexts;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    @Override
    public void initialize() {
        // No action: Loggers.ALL exists already.
    }
}
