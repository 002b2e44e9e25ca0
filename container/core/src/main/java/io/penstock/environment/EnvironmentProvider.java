package io.penstock.environment;

/**
 * Makes the environment of each application at its deployment. Thread: any. Deployments may run at the same time.
 *
 * <p>The container's own provider, {@link #ENTRIES_ONLY}, has only the {@code env-entry}s of descriptors. An embedding program may pass its
 * own provider, or the provider of the library {@code penstock-naming}.
 */
@FunctionalInterface
public interface EnvironmentProvider {

    /** Provides environment entries and references to them; any other resource is missing. */
    EnvironmentProvider ENTRIES_ONLY = EntriesOnly::new;

    /**
     * Makes the environment of one application. The application closes it when it stops.
     *
     * @throws EnvironmentException if a declaration is invalid; the one-line message names the declaration and the reason
     */
    Environment open(Declarations declarations) throws EnvironmentException;
}
