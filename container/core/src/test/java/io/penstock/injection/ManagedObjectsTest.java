package io.penstock.injection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class ManagedObjectsTest {
    /** An object that equals every other object of this class. */
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
