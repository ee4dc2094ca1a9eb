-- The search asks which parts of names are frequent, which only the figures of the new index say.
analyze profiles;
