package io.penstock.log;

import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** The only provider that slf4j finds. Thread: any. */
public final class LogProvider implements SLF4JServiceProvider {
    private static final String PROVIDER = "slf4j.provider";
    private static final String VERBOSITY = "slf4j.internal.verbosity";

    private final IMarkerFactory markers = new BasicMarkerFactory();
    private final MDCAdapter contexts = new NOPMDCAdapter();

    /**
     * Names the provider to slf4j, which would otherwise search all jars for one and delay the start. The properties are removed
     * afterwards, since an application with its own slf4j would read them, too.
     */
    public static void install() {
        if (System.getProperty(PROVIDER) != null || System.getProperty(VERBOSITY) != null) {
            return; // the operator has configured slf4j or made it verbose
        }
        System.setProperty(PROVIDER, LogProvider.class.getName());
        System.setProperty(VERBOSITY, "WARN"); // hides slf4j's message that it has read the first property
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
        // Loggers.ALL exists already.
    }
}
