package io.penstock.environment;

/**
 * Creates an application's environment when the application is deployed. Thread: any. Several deployments can run at the same time.
 *
 * <p>The container's own provider, {@link #ENTRIES_ONLY}, provides only the {@code env-entry} elements of descriptors. An embedding program
 * can use another provider, for example the provider of the library {@code penstock-naming}.
 */
@FunctionalInterface
public interface EnvironmentProvider {

    /** Provides environment entries, and references to environment entries. Other resources are not found. */
    EnvironmentProvider ENTRIES_ONLY = EntriesOnly::new;

    /**
     * Creates the environment of one application. The environment is closed when the application stops.
     *
     * @throws EnvironmentException if a declaration is invalid; the one-line message names the declaration and the reason
     */
    Environment open(Declarations declarations) throws EnvironmentException;
}
