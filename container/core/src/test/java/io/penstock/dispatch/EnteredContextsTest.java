package io.penstock.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.penstock.context.InFlight;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests how long an exchange keeps the contexts that it has entered from stopping. */
final class EnteredContextsTest {
    private final App home = new App();
    private final App other = new App("/other", settings -> settings.displayName("other"));

    @AfterEach
    void stop() {
        home.close();
        other.close();
    }

    private EnteredContexts begun() {
        InFlight.Visit visit = Objects.requireNonNull(home.context().inFlight().enter());
        return new EnteredContexts(home.context(), visit);
    }

    @Test
    void eachContextIsVisitedOnceAndLeftAtTheEnd() throws Exception {
        EnteredContexts entered = begun();
        entered.enter(other.context());
        entered.enter(other.context());
        entered.enter(home.context());
        assertEquals(1, other.context().inFlight().count());
        entered.leave();
        assertEquals(0, other.context().inFlight().count());
        assertEquals(0, home.context().inFlight().count());
    }

    /** For example, a task of {@code AsyncContext.start} dispatches after the request has timed out. */
    @Test
    void noContextIsEnteredAfterTheEndSinceNobodyWouldLeaveIt() {
        EnteredContexts entered = begun();
        entered.leave();
        assertThrows(IllegalStateException.class, () -> entered.enter(other.context()));
        assertEquals(0, other.context().inFlight().count());
        assertThrows(IllegalStateException.class, () -> entered.enter(other.context()));
    }
}
