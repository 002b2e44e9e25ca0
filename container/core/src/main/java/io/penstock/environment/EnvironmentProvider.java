package io.penstock.environment;

/**
 * Makes the environment of each application at its deployment. Thread: any. Deployments may run at the same time.
 *
 * <p>The container's own provider, {@link #ENTRIES_ONLY}, has only the {@code env-entry}s of descriptors. An embedding program can use
 * another provider, for example that of the library {@code penstock-naming}.
 */
@FunctionalInterface
public interface EnvironmentProvider {

    /** Provides environment entries and references to them, and no other resources. */
    EnvironmentProvider ENTRIES_ONLY = EntriesOnly::new;

    /**
     * Makes the environment of one application. The environment is closed when the application stops.
     *
     * @throws EnvironmentException if a declaration is invalid; the one-line message names the declaration and the reason
     */
    Environment open(Declarations declarations) throws EnvironmentException;
}
