package io.penstock.injection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ManagedObjectsTest {
    /** Says of itself that it is any other. */
    private record Same() {}

    @Test
    void objectsAreComparedByIdentity() {
        ManagedObjects objects = new ManagedObjects();
        Same one = new Same();
        objects.add(one);
        assertFalse(objects.remove(new Same()));
        assertTrue(objects.remove(one));
        assertFalse(objects.remove(one));
    }
}
