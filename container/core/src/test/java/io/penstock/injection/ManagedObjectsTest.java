package io.penstock.injection;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests that equal objects are managed separately. */
class ManagedObjectsTest {
    /** A class whose objects are all equal. */
    private record EqualObject() {}

    @Test
    void managedObjectsAreComparedByIdentity() {
        ManagedObjects objects = new ManagedObjects();
        EqualObject one = new EqualObject();
        objects.add(one);
        assertFalse(objects.remove(new EqualObject()));
        assertTrue(objects.remove(one));
        assertFalse(objects.remove(one));
    }
}
