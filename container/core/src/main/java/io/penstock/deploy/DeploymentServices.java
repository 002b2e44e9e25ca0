package io.penstock.deploy;

import io.penstock.context.ContextLookup;
import io.penstock.context.DispatcherFactory;
import io.penstock.context.Encodings;
import io.penstock.context.OpenWebSockets;
import io.penstock.environment.EnvironmentProvider;
import io.penstock.files.SmallFiles;
import io.penstock.limits.ApplicationSettings;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counters;
import io.penstock.limits.ServerConfig;
import io.penstock.security.Logins;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The services of a server that its applications use.
 *
 * @param dispatchers makes request dispatchers
 * @param contexts finds the other applications
 * @param callbacks runs the session listeners when sessions expire
 * @param clock the clock for sessions
 * @param sessions the stores of sessions between requests
 * @param environments makes the naming environment of each application
 * @param smallFiles the cache of small files. All applications share this cache
 * @param encodings the encodings of applications that declare no encodings
 * @param logins the users of all applications, and the limits on login attempts
 * @param settings returns the operator's settings for an application. The argument is the context path
 * @param counters the counters of the server, for example for refused archives
 * @param webSockets the WebSocket sessions of the server
 * @param temporary the directory for unpacked archives and temporary files, or null for the system's temporary directory
 */
public record DeploymentServices(
        DispatcherFactory dispatchers,
        ContextLookup contexts,
        Executor callbacks,
        InstantSource clock,
        ServerSessionStores sessions,
        EnvironmentProvider environments,
        SmallFiles smallFiles,
        Encodings encodings,
        Logins logins,
        Function<String, ApplicationSettings> settings,
        Counters counters,
        OpenWebSockets webSockets,
        @Nullable Path temporary) {

    /** Services with the system's clock and temporary directory, no other applications, and no users. */
    public static DeploymentServices of(DispatcherFactory dispatchers) {
        return of(dispatchers, Configuration.defaults()::application);
    }

    /** Like {@link #of(DispatcherFactory)}, with the operator's settings for applications. */
    public static DeploymentServices of(DispatcherFactory dispatchers, Function<String, ApplicationSettings> settings) {
        return new DeploymentServices(
                dispatchers,
                ContextLookup.NONE,
                Runnable::run,
                InstantSource.system(),
                ServerSessionStores.inMemory(),
                EnvironmentProvider.ENTRIES_ONLY,
                new SmallFiles(ServerConfig.defaults().files().cache()),
                Encodings.NONE,
                Logins.none(),
                settings,
                new Counters(),
                OpenWebSockets.unlimited(),
                null);
    }
}
