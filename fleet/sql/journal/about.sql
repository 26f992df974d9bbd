SELECT version, publisher FROM about;
