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
 * What a server lends to the applications that are deployed on it.
 *
 * @param dispatchers makes request dispatchers
 * @param contexts finds neighbours
 * @param callbacks runs session listeners when sessions expire
 * @param clock tells the time to sessions
 * @param sessions keeps them between requests
 * @param environments makes the naming environment of each application
 * @param smallFiles contents of files, for all applications together
 * @param encodings of applications that name none themselves
 * @param logins the users of all applications, and the bounds on who tries to be one
 * @param settings from outside of applications, by context path
 * @param counters where refused archives are counted
 * @param temporary where to unpack and to keep temporary files, or null for the system's temporary directory
 */
public record Surroundings(
        DispatcherFactory dispatchers,
        ContextLookup contexts,
        Executor callbacks,
        InstantSource clock,
        SessionKeeping sessions,
        EnvironmentProvider environments,
        SmallFiles smallFiles,
        Encodings encodings,
        Logins logins,
        Function<String, ApplicationSettings> settings,
        Counters counters,
        @Nullable Path temporary) {

    /** The system's clock and temporary directory; no neighbours, no users. */
    public static Surroundings of(DispatcherFactory dispatchers) {
        return of(dispatchers, Configuration.defaults()::application);
    }

    /** The same, with settings of applications. */
    public static Surroundings of(DispatcherFactory dispatchers, Function<String, ApplicationSettings> settings) {
        return new Surroundings(
                dispatchers,
                ContextLookup.NONE,
                Runnable::run,
                InstantSource.system(),
                SessionKeeping.MEMORY,
                EnvironmentProvider.ENTRIES_ONLY,
                new SmallFiles(FileLimits.defaults().cache()),
                Encodings.NONE,
                Logins.none(),
                settings,
                new Counters(),
                null);
    }
}
