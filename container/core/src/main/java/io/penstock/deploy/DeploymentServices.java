package io.penstock.deploy;

import io.penstock.context.ContextLookup;
import io.penstock.context.DispatcherFactory;
import io.penstock.context.Encodings;
import io.penstock.environment.EnvironmentProvider;
import io.penstock.files.SmallFiles;
import io.penstock.limits.ApplicationSettings;
import io.penstock.limits.Configuration;
import io.penstock.limits.Counters;
import io.penstock.limits.FileLimits;
import io.penstock.security.Logins;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The services of a server that its applications use.
 *
 * @param dispatchers request dispatchers
 * @param contexts finds the other applications
 * @param callbacks runs session listeners when sessions expire
 * @param clock the clock for sessions
 * @param sessions stores sessions between requests
 * @param environments makes the naming environment of each application
 * @param smallFiles the cache of small files, shared by all applications
 * @param encodings defaults of applications that declare none
 * @param logins the users of all applications, and the limits on login attempts
 * @param settings the operator's settings for an application, by its place
 * @param counters counts refused archives
 * @param temporary the directory for unpacked archives and temporary files, or null for the system's temporary directory
 */
public record DeploymentServices(
        DispatcherFactory dispatchers,
        ContextLookup contexts,
        Executor callbacks,
        InstantSource clock,
        SessionPlaces sessions,
        EnvironmentProvider environments,
        SmallFiles smallFiles,
        Encodings encodings,
        Logins logins,
        Function<String, ApplicationSettings> settings,
        Counters counters,
        @Nullable Path temporary) {

    /** Services with the system's clock and temporary directory, no other applications, and no users. */
    public static DeploymentServices of(DispatcherFactory dispatchers) {
        return of(dispatchers, Configuration.defaults()::application);
    }

    /** As {@link #of(DispatcherFactory)}, with settings of applications. */
    public static DeploymentServices of(DispatcherFactory dispatchers, Function<String, ApplicationSettings> settings) {
        return new DeploymentServices(
                dispatchers,
                ContextLookup.NONE,
                Runnable::run,
                InstantSource.system(),
                SessionPlaces.inMemory(),
                EnvironmentProvider.ENTRIES_ONLY,
                new SmallFiles(FileLimits.defaults().cache()),
                Encodings.NONE,
                Logins.none(),
                settings,
                new Counters(),
                null);
    }
}
