package io.penstock.log;

import io.penstock.limits.ServerLogging;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.ILoggerFactory;
import org.slf4j.Logger;

/**
 * All loggers of this JVM and their settings. The default settings apply until the configuration is known.
 *
 * <p>Thread: any.
 */
public final class Loggers implements ILoggerFactory {
    static final Loggers ALL = new Loggers(new LogSink());

    private final Map<String, LeveledLogger> loggers = new ConcurrentHashMap<>();
    private final LogSink sink;
    private volatile ServerLogging settings = ServerLogging.defaults();

    Loggers(LogSink sink) {
        this.sink = sink;
    }

    /** Applies the configuration to all loggers. */
    public static void use(ServerLogging settings) {
        ALL.apply(settings);
    }

    /** Applies a reloaded configuration to all loggers. The name of the node stays, because its change needs a restart. */
    public static void reload(ServerLogging settings) {
        ALL.applyReloaded(settings);
    }

    void applyReloaded(ServerLogging given) {
        apply(new ServerLogging(given.rest(), given.levels(), given.format(), settings.node()));
    }

    void apply(ServerLogging given) {
        settings = given;
        sink.use(given);
        loggers.values().forEach(logger -> logger.level(given.level(logger.getName())));
        JulBridge.levels(given);
    }

    static ServerLogging settings() {
        return ALL.settings;
    }

    @Override
    public Logger getLogger(String name) {
        LeveledLogger known = loggers.get(name);
        if (known != null) {
            return known;
        }
        LeveledLogger made = loggers.computeIfAbsent(name, ofName -> new LeveledLogger(ofName, sink));
        made.level(settings.level(name));
        return made;
    }
}
